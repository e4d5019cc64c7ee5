"""What people change of proposals, computed from what was proposed and what was saved."""
