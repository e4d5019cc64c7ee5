"""The families of n8n's nodes, where their names do not tell them as those of our own types do."""

from graph_schema.library.words import ModuleFamily
from service.library.n8n.workflow import is_node_type

_STARTERS = "webhook cron interval start emailReadImap"
_READERS = """
coinGecko googleBooks graphql hackerNews httpRequest marketstack nasa openWeatherMap
readBinaryFile readBinaryFiles readPDF rssFeedRead toolHttpRequest toolSearXng toolSerpApi toolWikipedia
toolWolframAlpha
"""
_SHAPERS = """
aggregate code compareDatasets convertToFile crypto dateTime extractFromFile filter function functionItem html if
itemLists limit markdown merge moveBinaryData noOp removeDuplicates renameKeys set sort splitInBatches splitOut
summarize switch wait xml
"""
_FAMILIES = {
    **dict.fromkeys(_STARTERS.split(), ModuleFamily.trigger),
    **dict.fromkeys(_READERS.split(), ModuleFamily.source),
    **dict.fromkeys(_SHAPERS.split(), ModuleFamily.utility),
}


def family_of_node(node_type: str) -> ModuleFamily | None:
    """`n8n-nodes-base.httpRequest` fetches something; of a type that both reads and writes, its name tells nothing."""
    return _FAMILIES.get(node_type.rpartition(".")[2]) if is_node_type(node_type) else None
