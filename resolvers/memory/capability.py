"""What task activity memory adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import COMMAND, Costs, each, flat
from resolvers.memory.artifact_search import ArtifactSearchQuery
from resolvers.memory.audit import AuditMutation
from resolvers.memory.continuation import ContinuationMutation
from resolvers.memory.extraction import ExtractionMutation
from resolvers.memory.history import HistoryQuery
from resolvers.memory.lineage import LineageQuery
from resolvers.memory.preset_statistics import PresetStatisticsQuery
from resolvers.memory.promotion import PromotionMutation, PromotionQuery
from resolvers.memory.questions import QuestionQuery
from resolvers.memory.reporting import ReportingMutation
from resolvers.memory.retention import RecordRetention
from resolvers.memory.run_changes import RunChangesSubscription
from resolvers.memory.runs import RunQuery
from resolvers.memory.statistics import StatisticsQuery, TaskFigures
from resolvers.memory.storage import STORED, StorageOfRecord
from resolvers.memory.unreadable import set_aside
from resolvers.memory.usage import GroupUses, PresetUses, TemplateUses

RUN = 2_000
"""A run with all its parts, for the views that are made from them."""

FIELDS = Fields(
    queries=(
        LineageQuery,
        RunQuery,
        QuestionQuery,
        HistoryQuery,
        StatisticsQuery,
        PresetStatisticsQuery,
        ArtifactSearchQuery,
        PromotionQuery,
    ),
    mutations=(ReportingMutation, ContinuationMutation, ExtractionMutation, AuditMutation, PromotionMutation),
    subscriptions=(RunChangesSubscription,),
    record_fields={
        **dict.fromkeys(STORED, (StorageOfRecord,)),
        "Run": (RecordRetention,),
        "Artifact": (RecordRetention, StorageOfRecord),
        "Task": (TaskFigures,),
        "Template": (TemplateUses, StorageOfRecord),
        "Preset": (PresetUses, StorageOfRecord),
        "TemplateGroup": (GroupUses,),
    },
    set_aside=(set_aside,),
    costs=Costs(
        queries={
            "lineage": each("maxNodes", 2),
            "provenance": flat(500),
            "impact": flat(2_000),
            "run": flat(RUN),
            "runQuestions": flat(RUN),
            "taskQuestions": each("first", 1, 2 * RUN),
            "permissionContract": flat(RUN),
            "moduleQuickAccess": flat(50),
            "taskHistory": each("first", 2, 50),
            "operationalStatistics": flat(500),
            "savedTasks": each("first", 200),
            "presetStatistics": flat(500),
            "savedPresets": each("first", 200),
            "searchArtifacts": each("first", 20, 2_000),
            "artifactIntake": flat(50),
        },
        mutations={"reportRunEvents": each("events", COMMAND), "exportAudit": flat(10_000)},
        subscriptions={"runChanges": flat(50)},
        record_fields={
            "retention": flat(5),
            "storage": flat(5),
            "statistics": flat(200),
            "lastRun": flat(20),
            "usage": flat(200),
            "usageSummary": flat(200),
        },
    ),
)
