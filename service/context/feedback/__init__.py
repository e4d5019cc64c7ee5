"""What people think of the context that modules were given, and figures of what packets held."""

from service.context.feedback.commands import ContextFeedback, Given
from service.context.feedback.read import Asked, ContextFigures, context_statistics

__all__ = ["Asked", "ContextFeedback", "ContextFigures", "Given", "context_statistics"]
