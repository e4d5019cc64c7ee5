"""Learning: what use and edits teach, what is proposed because of it, and what became of the proposals."""

from graph_schema.learning.assessments import Assessment, AssessmentAction, AssessmentFinding, AssessorNote
from graph_schema.learning.creation import TaskReceipt
from graph_schema.learning.datasets import EvalDataset, EvalExample, EvalScore, EvalTrace
from graph_schema.learning.design import DesignQuestion, DesignSession, Statement
from graph_schema.learning.edits import EditTrace
from graph_schema.learning.proposals import Change, Promotion, Proposal
from graph_schema.learning.relations import RELATIONS
from graph_schema.learning.replays import Replay, ReplayCase
from graph_schema.learning.reports import KeptReport
from graph_schema.learning.signals import Signal

RECORDS = (
    *(Signal, Proposal, Change, Replay, ReplayCase, Promotion),
    *(Assessment, AssessmentFinding, AssessmentAction, AssessorNote),
    KeptReport,
    *(EvalDataset, EvalExample, EvalTrace, EvalScore),
    *(DesignSession, DesignQuestion, Statement, TaskReceipt, EditTrace),
)

__all__ = ["RECORDS", "RELATIONS"]
