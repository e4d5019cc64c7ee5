"""What can go wrong between a text and its vector, each with a stable code and what to do about it."""

import sys


class EmbeddingError(Exception):
    """Base of this package's errors. Subclasses take facts and write their own message."""

    code = "embedding_failed"

    def __init__(self, message: str, *, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class EngineNotInstalled(EmbeddingError):
    code = "embedding_engine_missing"

    def __init__(self, model: str) -> None:
        super().__init__(
            f"The embedding model {model} needs sentence-transformers, which is not installed.",
            remedy=f"Install it with: {sys.executable} -m uv pip install 'sentence-transformers>=5'",
        )


class ModelUnusable(EmbeddingError):
    code = "embedding_model_unusable"

    def __init__(self, model: str, problem: str, *, remedy: str) -> None:
        super().__init__(f"The embedding model {model} cannot be loaded: {problem}.", remedy=remedy)
        self.model = model


class TokenizerUnusable(EmbeddingError):
    code = "tokenizer_unusable"

    def __init__(self, model: str, file: str, problem: str) -> None:
        super().__init__(
            f"The tokenizer of {model} cannot be used: {file} {problem}.",
            remedy=f"Put the model's own tokenizer.json there, without truncation and padding, or remove {file}: "
            "then tokens are estimated.",
        )


class TextNotUnicode(EmbeddingError):
    code = "embedding_text_invalid"

    def __init__(self, position: int) -> None:
        super().__init__(
            f"The text is not valid Unicode: half of a surrogate pair stands alone at position {position}.",
            remedy="Send the text as well-formed Unicode.",
        )
        self.position = position


class EmbeddingQueueFull(EmbeddingError):
    code = "embedding_queue_full"

    def __init__(self, max_waiting: int) -> None:
        super().__init__(
            f"{max_waiting} requests are already waiting for their embeddings.",
            remedy="Try again in a moment, with fewer requests at once.",
        )
        self.max_waiting = max_waiting


class EmbeddingQueueClosed(EmbeddingError):
    code = "embedding_queue_closed"

    def __init__(self) -> None:
        super().__init__("The service is stopping and embeds nothing more.", remedy="Try again once it has started.")
