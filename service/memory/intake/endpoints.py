"""Where each level leads once an artifact was processed. Processing itself is a route, never the end of it."""

from graph_schema.memory.words import Endpoint, IntakeLevel

ENDPOINTS: dict[IntakeLevel, tuple[Endpoint, ...]] = {
    IntakeLevel.no_capture: (),
    IntakeLevel.run_only: (),
    IntakeLevel.doc72_reference: (),
    IntakeLevel.doc72_summary_reference: (),
    IntakeLevel.doc25_document_ingestion: (
        Endpoint.doc72_document_node,
        Endpoint.task_run_artifact,
        Endpoint.user_file_location,
        Endpoint.output_delivery_attachment,
    ),
    IntakeLevel.doc25_work_product_ingestion: (Endpoint.doc72_work_product,),
    IntakeLevel.doc73_library_ingestion: (Endpoint.doc73_library_member,),
}


def usual(level: IntakeLevel) -> Endpoint | None:
    """Where a level leads when nobody says otherwise."""
    return next(iter(ENDPOINTS[level]), None)
