"""Every change that the API knows is in a story, or is told of here with the reason."""

import ast
from itertools import chain
from pathlib import Path

from graph_schema.registry import REGISTRY
from tests.api.schema import committed_schema
from tests.chaos import stories

AS_SAVE_GOAL = {f"save{kind.label}" for kind in REGISTRY.types.values() if kind.saved}
"""One command saves records of every kind."""
EXCUSED = {
    "the same command as the JSON lines of a report": {"reportRunEvents"},
    "answers what a policy of artifacts asks, of which the graph has none": {
        *("reviewArtifact", "createLibraryIntent", "recordLibraryReceipt"),
    },
    "carries out `reviewProposal` for each, under an id of its own": {"reviewProposals"},
    "speaks with the secret of a link, which one answer has and no other": {
        *("copySharedTask", "commentOnShare", "proposeUnderShare", "requestUnderShare"),
    },
    "is about all that is in the graph, or about what holds for everybody in it": {
        *("saveModuleCatalogue", "compileKnowledge", "activateKnowledgePack", "checkKnowledge", "submitEvalRun"),
        "saveEvalSuite",
        *("setAttentionMode", "liftSuppression", "recordLearningReport"),
    },
    "answers what the service decided by itself, which may come later than the story": {
        *("decideAttention", "dismissDirective", "actOnDirective", "snoozeDirective", "decideRecommendation"),
    },
    "proposes as `proposeChange` does, and rests on what a story of its own would have to get wrong first": {
        *("proposeFix", "proposeAction", "proposePrompt"),
    },
}


def told() -> set[str]:
    tree = ast.parse(Path(stories.__file__).read_text())
    words = {one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    mutations = committed_schema().mutation_type
    assert mutations
    return words & {*mutations.fields}


def test_every_change_is_in_a_story_or_excused() -> None:
    mutations = committed_schema().mutation_type
    assert mutations
    excused = {*chain.from_iterable(EXCUSED.values())}
    assert {*mutations.fields} - told() - AS_SAVE_GOAL - excused == set()
    assert excused & told() == set(), "who is in a story needs no excuse"
