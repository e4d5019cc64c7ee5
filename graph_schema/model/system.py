"""Labels of the system's own nodes. They are no records: no read API is generated for them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SystemLabel:
    label: str
    description: str
    colour: str = "#a5abb6"
    caption: str = "name"
    unique: tuple[tuple[str, ...], ...] = ()
    indexed: tuple[tuple[str, ...], ...] = ()


SYSTEM = (
    SystemLabel("Migration", "A change of the schema that was applied.", unique=(("number",),)),
    SystemLabel("Lock", "What one process holds while others wait.", unique=(("name",),)),
    SystemLabel("Principal", "Whoever may call the service.", unique=(("id",), ("name",))),
    SystemLabel("Key", "A key of a principal, as a hash.", unique=(("id",), ("hash",))),
    SystemLabel(
        "Command",
        "A change that was asked for, with its first result.",
        caption="command",
        unique=(("principal_id", "command_id"),),
        indexed=(("at",),),
    ),
    SystemLabel(
        "Event",
        "Something that happened to a record. Numbered soon after it was committed.",
        caption="kind",
        unique=(("event_id",), ("seq",)),
        indexed=(("about",), ("about", "seq"), ("run_id", "seq"), ("audience", "seq")),
    ),
    SystemLabel(
        "Report",
        "An event that an executor reported and that was accepted, so that it is told when it comes again.",
        caption="event_id",
        unique=(("run_id", "event_id"),),
    ),
    SystemLabel(
        "Version",
        "A former state of a record, reached from it by PREVIOUS.",
        caption="version",
        indexed=(("record_id",), ("link_head",)),
    ),
    SystemLabel("Audience", "A data class with a set of matters, as records carry it.", unique=(("audience",),)),
)
