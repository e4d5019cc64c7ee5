"""What is known of the task system, and what is told before anything runs."""

from graph_schema.knowledge.catalogue import ConfigField, Port
from graph_schema.knowledge.education import CoreContract, EducationProfile, WrittenCard
from graph_schema.knowledge.evaluation import EvalRun, EvalSuite
from graph_schema.knowledge.pack import KnowledgeCard, KnowledgePack
from graph_schema.knowledge.preflight import Preflight
from graph_schema.knowledge.prompts import Prompt, PromptAssessment, PromptBundle, PromptCandidate, PromptEvaluation
from graph_schema.knowledge.relations import RELATIONS
from graph_schema.knowledge.specs import SpecSection

RECORDS = (
    *(Port, ConfigField, Preflight, KnowledgePack, KnowledgeCard),
    *(EducationProfile, CoreContract, WrittenCard, SpecSection, EvalRun, EvalSuite),
    *(Prompt, PromptAssessment, PromptBundle, PromptCandidate, PromptEvaluation),
)

__all__ = ["RECORDS", "RELATIONS"]
