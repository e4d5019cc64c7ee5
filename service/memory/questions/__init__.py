"""Questions about runs and tasks that need no model: answered from what was reported, with what is missing."""

from service.memory.questions.read import QUESTIONS_NEED, Questions
from service.memory.questions.rules import RunQuestions
from service.memory.questions.task import TaskQuestions

__all__ = ["QUESTIONS_NEED", "Questions", "RunQuestions", "TaskQuestions"]
