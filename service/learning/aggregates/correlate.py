"""What is beyond the thresholds becomes a signal of its own, once for each state of its counts."""

import hashlib

from graph_schema.learning.words import SignalOrigin, SignalType
from graph_schema.model.fields import DataClass
from service.access.viewer import Viewer
from service.commands import RecordRef
from service.learning.aggregates.read import Aggregates
from service.learning.aggregates.rules import Sum, sentence, surfaced
from service.learning.signals.answers import told
from service.learning.signals.commands import LearningSignals
from service.learning.signals.inputs import LearningSignal

SOURCE = "tasklore aggregates"


async def correlate(aggregates: Aggregates, signals: LearningSignals, viewer: Viewer) -> int:
    """How many correlations were kept that were not known."""
    sums, _ = await aggregates.sums(viewer)
    found = [_signal(one, sentence(one, holds)) for one, holds in surfaced(sums, aggregates.thresholds)]
    if not found:
        return 0
    outcome = await signals.draw(viewer, SignalOrigin.aggregate, found[:1_000])
    return told(outcome.result).accepted


def _signal(one: Sum, said: str) -> LearningSignal:
    """It has the class and matters of the signals that it adds up, whatever the record is that they are on."""
    return LearningSignal(
        source=SOURCE,
        signal_id=_key(one),
        signal_type=SignalType.task_design_correlation,
        payload={
            "statement": said,
            "support_count": len(one.for_it),
            "counter_count": len(one.against),
            "strength": one.interval[0],
        },
        about=(RecordRef(id=one.on),),
        context_class_key=one.context_class,
        model_class=one.model_class,  # pyright: ignore[reportArgumentType] - a word of the enum, as it is stored
        pattern_promotion_eligible=True,
        summary=said,
        data_class=DataClass(one.data_class),
        matter_ids=one.matter_ids,
    )


def _key(one: Sum) -> str:
    """Other evidence makes another signal; the same is known by it."""
    evidence = hashlib.sha256(",".join(sorted((*one.for_it, *one.against))).encode()).hexdigest()[:16]
    where = f"{one.context_class or ''}/{one.model_class or ''}{f'/{one.subject}' if one.subject else ''}"
    return f"{one.question.name}/{one.on}/{where}/{evidence}"
