"""What is wrong with a request of traces, or with one of its spans."""

from service.errors import TaskloreError


class TracesUnreadable(TaskloreError):
    code = "invalid_traces"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The body is no ExportTraceServiceRequest: {problem}.",
            field="body",
            remedy="Send OTLP as application/x-protobuf or application/json; docs/telemetry.md helps.",
        )


class ContentTypeUnsupported(TaskloreError):
    code = "unsupported_content_type"

    def __init__(self, given: str) -> None:
        super().__init__(
            f"Traces are not taken as {given[:100] or 'nothing named'}.",
            field="Content-Type",
            remedy="Send application/x-protobuf or application/json.",
        )


class TooManySpans(TaskloreError):
    code = "too_many_spans"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"{count:,} spans were sent; at most {limit:,} are taken in one request.",
            field="body",
            remedy="Export smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).",
            facts={"limit": limit, "count": count},
        )


class SpanInvalid(TaskloreError):
    """A span that OpenTelemetry itself would not let be."""

    code = "invalid_span"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}.", field=field, remedy="Send spans as an OpenTelemetry SDK makes them.")


class RunNotFound(TaskloreError):
    """The same for a run that is hidden and for one that is not there."""

    code = "not_found"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"There is no run {run_id[:100]} that you can see.", field="run", remedy="Check the id.")


class RunNotExported(TaskloreError):
    code = "local_only_not_exported"

    def __init__(self, run_id: str) -> None:
        super().__init__(
            f"The run {run_id} is of the class local_only, which is never exported.",
            field="run",
            remedy="Read it through the API on this machine.",
        )
