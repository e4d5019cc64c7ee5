"""The words of tools: axes with their synonyms, whose fault an error is, and phrases of correction. All are data."""

from service.tools.vocabulary.load import Vocabulary, vocabulary_of

__all__ = ["Vocabulary", "vocabulary_of"]
