"""What signals add up to, by class of context and class of model. Below its thresholds nothing is told."""
