"""The ages that the settings give."""

from graph_schema.memory.words import RetentionClass
from service.memory.retention.rules import Ages
from service.settings import Settings


def ages_of(settings: Settings) -> Ages:
    return Ages(
        {
            RetentionClass.standard: settings.retain_standard_days,
            RetentionClass.high_value: settings.retain_high_value_days,
            RetentionClass.matter_active: settings.retain_matter_active_days,
            RetentionClass.legal_work_product: settings.retain_legal_work_product_days,
            RetentionClass.template_training: settings.retain_template_training_days,
            RetentionClass.ephemeral: settings.retain_ephemeral_days,
        }
    )
