"""Which questions are worth asking: for a class of context, or for a type of task where nothing was settled there."""

from dataclasses import dataclass
from typing import Annotated

from graph_schema.learning.design_words import DesignSlot
from service.access.viewer import Viewer
from service.graph.database import Database
from service.learning.design import cypher
from service.learning.design.questions import VERSION, WORTH_ASKING, QuestionUtility, counts_of, utility
from service.learning.design.read import TEACHING


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionUtilities:
    """What is known of asking about each slot of a design."""

    items: Annotated[tuple[QuestionUtility, ...], "The slots, what is most worth asking first."]
    worth_asking: Annotated[float, "The score from which a question is asked that could be left."]
    rules: Annotated[str, "Name and version of the rules."] = VERSION


class QuestionWorth:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, viewer: Viewer, context_class: str, task_type: str | None = None) -> QuestionUtilities:
        rows = await self._database.read(
            cypher.QUESTION_COUNTS,
            context_class=context_class,
            task_type=task_type,
            classes=TEACHING,
            audiences=viewer.audiences,
        )
        counts = counts_of(rows)
        items = [utility(slot, counts, context_class, task_type) for slot in DesignSlot]
        return QuestionUtilities(items=tuple(sorted(items, key=lambda one: -one.score)), worth_asking=WORTH_ASKING)
