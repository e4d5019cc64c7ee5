"""What learning brings to the running service."""

from service.capability import Factories
from service.knowledge.preflight.keep import KeptPreflights
from service.knowledge.preflight.read import Preflights
from service.learning.aggregates.read import Aggregates, thresholds_of
from service.learning.assessments.notes import AssessorNotes
from service.learning.assessments.portfolio import PortfolioAssessments
from service.learning.assessments.propose_action import ProposedActions
from service.learning.assessments.runs import RunAssessments
from service.learning.assessments.tasks import TaskAssessments
from service.learning.bundles.read import ExtractionBundles
from service.learning.datasets.commands import Datasets
from service.learning.datasets.draw import DrawnDatasets
from service.learning.datasets.read import DatasetResults
from service.learning.design.services import DESIGN_HOOKS, DESIGN_SERVICES
from service.learning.lane.learn import Lane, LanePolicy
from service.learning.prompts.evaluations import PromptEvaluations
from service.learning.prompts.promote import PromptPromotions, follow_prompt
from service.learning.prompts.telling import PromptTelling
from service.learning.proposals.commands import Proposals
from service.learning.proposals.fixes import ProposedFixes
from service.learning.replay.commands import Replays
from service.learning.report.keep import KeptReports
from service.learning.report.read import LearningReports
from service.learning.review.decide import Decisions
from service.learning.review.read import Reviews
from service.learning.signals.commands import LearningSignals
from service.learning.signals.retention import OLD_SENSITIVE_SIGNALS, OLD_SIGNALS
from service.learning.utility.goals import GoalUtility
from service.learning.utility.outputs import OutputUtility
from service.learning.utility.questions import QuestionWorth
from service.records import Hooks
from service.records.hooks import joined

SERVICES: Factories = {
    LearningSignals: lambda on: LearningSignals(on.ground.commands),
    Proposals: lambda on: Proposals(on.ground.commands, on.ground.database, on.ground.hooks),
    Replays: lambda on: Replays(on.ground.commands, on.ground.database, on[Proposals], on),
    ProposedFixes: lambda on: ProposedFixes(on.ground.database, on[KeptPreflights], on[Proposals]),
    PromptEvaluations: lambda on: PromptEvaluations(on.ground.commands),
    PromptTelling: lambda on: PromptTelling(on.ground.commands),
    PromptPromotions: lambda on: PromptPromotions(on.ground.database, on[Proposals]),
    **DESIGN_SERVICES,
    RunAssessments: lambda on: RunAssessments(on.ground.commands, on.ground.database),
    TaskAssessments: lambda on: TaskAssessments(on.ground.commands, on.ground.database, on[Preflights]),
    PortfolioAssessments: lambda on: PortfolioAssessments(on.ground.commands, on.ground.database),
    Aggregates: lambda on: Aggregates(on.ground.database, thresholds_of(on.ground.settings)),
    LearningReports: lambda on: LearningReports(on.ground.database, on[Aggregates]),
    ExtractionBundles: lambda on: ExtractionBundles(on.ground.database),
    OutputUtility: lambda on: OutputUtility(on.ground.database, on.ground.settings.learning_signals_agreeing),
    GoalUtility: lambda on: GoalUtility(on.ground.database),
    QuestionWorth: lambda on: QuestionWorth(on.ground.database),
    KeptReports: lambda on: KeptReports(on.ground.commands, on.ground.database, on[LearningReports]),
    Datasets: lambda on: Datasets(on.ground.commands),
    DrawnDatasets: lambda on: DrawnDatasets(on.ground.database, on[Datasets]),
    DatasetResults: lambda on: DatasetResults(on.ground.database),
    ProposedActions: lambda on: ProposedActions(on.ground.commands, on.ground.database),
    AssessorNotes: lambda on: AssessorNotes(on.ground.commands),
    Decisions: lambda on: Decisions(on[Proposals]),
    Reviews: lambda on: Reviews(on.ground.database, on[Proposals]),
    Lane: lambda on: Lane(
        on.ground.database,
        on[LearningSignals],
        on[Proposals],
        on[Replays],
        on[Aggregates],
        assessments=on[RunAssessments],
        reviews=on[Reviews],
        policy=LanePolicy(on.ground.settings.learning_signals_agreeing, on.ground.settings.learning_auto_apply),
    ),
}
AGED = (OLD_SIGNALS, OLD_SENSITIVE_SIGNALS)
HOOKS = joined([DESIGN_HOOKS, Hooks(after_save=(follow_prompt,))])
