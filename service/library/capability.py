"""What the library brings to the running service."""

from graph_schema.library.relations import PHRASED
from service.capability import Factories
from service.library.after_save import follow, follow_link
from service.library.checks import check_directive, check_need, check_phrases
from service.library.commands import Library
from service.library.diffs import BlueprintDiffs
from service.library.n8n.commands import N8nWorkflows
from service.library.read import LibraryReader
from service.records import Hooks

SERVICES: Factories = {
    Library: lambda on: Library(on.ground.commands, hooks=on.ground.hooks),
    LibraryReader: lambda on: LibraryReader(on.ground.database),
    BlueprintDiffs: lambda on: BlueprintDiffs(on.ground.database),
    N8nWorkflows: lambda on: N8nWorkflows(on.ground.commands, on.ground.database),
}
HOOKS = Hooks(
    checks={
        **dict.fromkeys((label for label in PHRASED if label != "InvocationDirective"), check_phrases),
        "Directive": check_directive,
    },
    after_save=(follow,),
    after_link=(check_need, follow_link),
)
