"""What learning adds to the API."""

from resolvers.capability import Fields
from resolvers.engine.costs import COMMAND, Costs, each, flat
from resolvers.knowledge.capability import LOOKUP
from resolvers.learning.assessments import AssessmentMutation
from resolvers.learning.bundles import BundleQuery
from resolvers.learning.creation import CreationMutation, CreationQuery
from resolvers.learning.datasets import DatasetMutation, DatasetQuery
from resolvers.learning.design import DESIGN, DesignMutation, DesignQuery
from resolvers.learning.edits import EditMutation, EditQuery
from resolvers.learning.graphs import DesignKnowledgeQuery
from resolvers.learning.prompts import PromptLearningMutation
from resolvers.learning.proposals import ProposalMutation
from resolvers.learning.replay import ReplayMutation
from resolvers.learning.report import ReportMutation, ReportQuery
from resolvers.learning.review import ReviewQuery
from resolvers.learning.signals import SignalMutation
from resolvers.learning.utility import UtilityQuery
from resolvers.matching.capability import MATCH

FIELDS = Fields(
    queries=(
        *(DesignQuery, CreationQuery, EditQuery, ReviewQuery, DesignKnowledgeQuery),
        *(ReportQuery, DatasetQuery, UtilityQuery, BundleQuery),
    ),
    mutations=(
        *(DesignMutation, CreationMutation, EditMutation),
        *(SignalMutation, ProposalMutation, ReplayMutation, AssessmentMutation, DatasetMutation),
        PromptLearningMutation,
        ReportMutation,
    ),
    costs=Costs(
        queries={
            "designSession": flat(DESIGN),
            "designBundle": flat(DESIGN),
            "extractionBundle": flat(DESIGN),
            "trackedTask": flat(50),
            "proposalEditTrace": flat(50),
            "reviewQueue": flat(500),
            "proposalWatch": flat(100),
            "learningReport": flat(2_000),
            "replayLearningReport": flat(2_000),
            "designAggregates": flat(2_000),
            "outputArchetypes": flat(2_000),
            "goalLearning": flat(1_000),
            "questionUtility": flat(100),
            "evalResults": flat(500),
            "designGuidance": flat(DESIGN + LOOKUP),
            "diffGraphs": flat(LOOKUP),
        },
        mutations={
            "startDesignSession": flat(8 * MATCH),
            "updateDesignSession": flat(2 * DESIGN),
            "trackTask": flat(DESIGN),
            "recordProposalEdit": flat(DESIGN),
            "reportLearningSignals": each("signals", COMMAND),
            "reviewProposals": each("inputs", COMMAND),
            "replayProposal": flat(5_000),
            "proposeFix": flat(DESIGN),
            "createEvalDataset": flat(DESIGN),
            "drawEvalDataset": flat(2_000),
            "addEvalExamples": each("examples", COMMAND),
            "recordEvalScores": each("scores", COMMAND),
            "recordLearningReport": flat(2_000),
            "assessRun": flat(5_000),
            "assessTask": flat(5_000),
            "assessPortfolio": flat(20_000),
            "proposeAction": flat(DESIGN),
        },
    ),
)
