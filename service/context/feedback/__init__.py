"""What people think of the context that modules were given, and figures of what packets held."""

from service.context.feedback.commands import ContextFeedback, ContextFeedbackInput
from service.context.feedback.read import Asked, ContextFigures, ContextStatistics

__all__ = ["Asked", "ContextFeedback", "ContextFeedbackInput", "ContextFigures", "ContextStatistics"]
