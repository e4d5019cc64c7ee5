"""What words and phrases tell about a request. They are data (`words.yaml`), and an operator can add to them."""

from service.routing.words.load import Words, words_of
from service.routing.words.said import Said, Sentence, said

__all__ = ["Said", "Sentence", "Words", "said", "words_of"]
