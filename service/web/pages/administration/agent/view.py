"""What can be set of the profile, in the order of the form; the saved profile, if there is one."""

from graph_schema.routing.agent import AgentProfile
from graph_schema.routing.words import AgentContextMode, AutoConsult, ThinkLevel, VisibleReceipts
from service.web.pages.engine.page import Asked, Data

CHOICES = (
    ("defaultThinkLevel", "How long it thinks", ThinkLevel),
    ("autoConsultPolicy", "Asked unasked from which level on", AutoConsult),
    ("createVisibleReceipts", "Visible receipts", VisibleReceipts),
    ("defaultContextMode", "What it is given to know", AgentContextMode),
)
COSTS = (
    ("maxDesignCostUsd", "A design may cost"),
    ("maxAssessmentCostUsd", "An assessment may cost"),
    ("maxPromptEvalCostUsd", "An evaluation of prompts may cost"),
)
SWITCHES = (
    ("allowCloud", "Models of others"),
    ("allowLocal", "Models on the own machine"),
    ("preferHighReasoningForGraphDesign", "Long thought for graphs"),
    ("showTaskSuggestionChips", "Task suggestion chips"),
    ("allowBackgroundDesign", "Background design jobs"),
    ("allowPromptEvaluationTasks", "Prompt evaluation tasks"),
    ("allowInvisibleConsult", "Consults that the user does not see"),
    ("requireUserConfirmationBeforeSave", "Ask before it saves"),
    ("requireUserConfirmationBeforeRun", "Ask before anything runs"),
    ("allowKnowledgePackRetrieval", "Looks into the knowledge pack"),
    ("allowTaskMemory", "Looks into the memory of tasks"),
    ("allowLearningOverlay", "What was learned bears on suggestions"),
    ("allowPromptAdvisorService", "Advice on prompts"),
)


def view(data: Data, _asked: Asked) -> Data:
    saved = [one for one in data["taskAgent"]["recordIds"] if one.startswith(f"{AgentProfile.prefix}_")]
    choices = [(name, label, [one.value for one in words]) for name, label, words in CHOICES]
    return {"saved": saved[0] if saved else None, "choices": choices, "costs": COSTS, "switches": SWITCHES}
