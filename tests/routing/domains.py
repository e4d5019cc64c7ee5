"""A library of other domains: a hospital ward, a shipyard, a school, weddings, customs, a fire brigade.

Its requests (`unseen.jsonl`) were written together with it, before anything was asked.
"""

from typing import Any

from service.cards.cypher import AWAIT_TEXT_INDEX
from service.memory.reporting.commands import Reporting
from tests.memory.stories import Story, step
from tests.routing.office import Office

TEMPLATES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "Ward Handover": ("Collects what the next shift has to know of every bed.", ("hand the ward over",), ("bed list",)),
    "Medication Reconciliation": (
        "Compares the medication charts of patients with the pharmacy's records; a consultant signs each discrepancy.",
        ("reconcile medication charts",), ("discrepancy list",),
    ),
    "Bed Occupancy Forecast": ("Forecasts how full the wards will be.", ("forecast the beds",), ("forecast sheet",)),
    "Hull Inspection": ("Plates, welds and valves of a hull in dock, with photographs.", ("inspect the hull",),
                        ("weld defect list",)),
    "Dry Dock Schedule": ("Orders the work on a ship in dock by berth and crew.", (), ("schedule",)),
    "Weld Certificate Audit": (
        "Compares weld certificates with the register of the classification society.", ("audit weld certificates",),
        ("audit report",),
    ),
    "Timetable Builder": ("Puts lessons, rooms and teachers together without clashes.", (), ("clash report",)),
    "Report Card Round": ("Drafts report cards from marks and has them approved.", ("report cards",), ("cards",)),
    "Seating Plan": ("Seats guests at tables by who knows whom.", ("seat the guests",), ("seating chart",)),
    "Vendor Comparison": ("Compares offers of caterers, florists and bands.", ("compare quotes",),
                          ("comparison table", "shortlist")),
    "Tariff Classification": ("Finds the tariff heading of goods and says why.", ("classify goods",),
                              ("duty estimate",)),
    "Declaration Check": (
        "Checks customs declarations against their invoices and flags undervaluation.",
        ("check declarations against invoices",), ("flag list",),
    ),
    "Origin Certificate Review": ("Reviews certificates of origin.", (), ("opinion",)),
    "Hydrant Survey": ("Visits every hydrant and notes its state.", ("check the hydrants",), ("broken hydrant list",)),
}  # fmt: skip

RUNS: tuple[tuple[str, str, str, tuple[str, ...], bool], ...] = (
    ("Ward Handover", "handover-7", "Night handover ward 7", ("Bed list", "Allergy notes"), False),
    ("Medication Reconciliation", "medrec-3", "Medication reconciliation of March", (), True),
    ("Hull Inspection", "aurora", "Hull inspection of the Aurora", ("Weld defect list", "Photo log"), False),
    ("Report Card Round", "cards-9", "Report cards year 9", ("Merged report cards",), True),
    ("Timetable Builder", "term-2", "Timetable of the second term", ("Clash report",), True),
    ("Seating Plan", "lindqvist", "Seating plan of the Lindqvist wedding", ("Seating chart",), False),
    ("Declaration Check", "4471", "Declaration check of shipment 4471", ("Duty estimate", "Flag list"), False),
    ("Hydrant Survey", "harbour", "Hydrant survey of the harbour", ("Broken hydrant list",), True),
)
"""Task, key of the run, its name, what it made, and whether it still goes on."""

PRESETS = {
    "Chart reader": "Reads medication charts and gives their entries as a table.",
    "Invoice checker": "Checks an invoice against a declaration.",
}


PHRASES = {"Chart reader": ["read the medication charts"], "Invoice checker": ["check an invoice"]}


async def settled(office: Office) -> None:
    """Wait until all that was saved and reported can be found."""
    await office.embed()
    await office.database.run_alone(AWAIT_TEXT_INDEX)


async def furnish(office: Office) -> None:
    viewer = await office.viewer()
    for name, (description, phrases, outputs) in TEMPLATES.items():
        told: dict[str, Any] = {"trigger_phrases": list(phrases), "expected_outputs": list(outputs)}
        await office.new("Template", name=name, description=description, **told)
    for name, description in PRESETS.items():
        await office.new(
            "Preset", name=name, description=description, module_type="step.agent_task", trigger_phrases=PHRASES[name]
        )
    for task, key, name, made, going_on in RUNS:
        run = {"source": "exec", "key": key}
        story = Story(run).tell("run_started", task_key=task.lower().replace(" ", "-"), task_name=task, name=name)
        for place, one in enumerate(made):
            story.tell("artifact_produced", artifact_key=f"{key}-{place}", artifact_kind="document", name=one,
                       output_class="final_output", **step("work"))  # fmt: skip
        if not going_on:
            story.tell("run_completed")
        answers = await office.services[Reporting].report(viewer, story.events)
        assert [one.code for one in answers if one.code] == []
    await settled(office)
