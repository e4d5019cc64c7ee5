"""The policy that holds for every task, the words of its form, and all narrower policies."""

from graph_schema.memory.policies import EVERY_TASK, IncognitoOverride
from graph_schema.memory.words import CaptureMode, IntakeLevel
from service.web.pages.engine.page import Asked, Data

FIELDS = (
    ("finalOutputDefault", "Final results"),
    ("intermediateOutputDefault", "Intermediate outputs"),
    ("producedDocumentDefault", "Documents produced by a task"),
    ("downloadedDocumentDefault", "Documents downloaded"),
    ("receivedAttachmentDefault", "Attachments received"),
    ("sentMessageDefault", "Messages sent"),
    ("receivedMessageDefault", "Messages received"),
    ("taskDefault", "All else"),
    ("userReviewRequiredAboveLevel", "A person is asked above"),
)
PRIVATE = (
    (IncognitoOverride.suppress_doc72_doc25, "stay with the run"),
    (IncognitoOverride.suppress_all_optional_memory, "are not kept"),
)
MODES = {
    CaptureMode.never_capture: "Do not save",
    CaptureMode.keep_with_run: "Keep with this run",
    CaptureMode.make_findable: "Make findable",
    CaptureMode.make_findable_with_summary: "Make findable with summary",
    CaptureMode.process_documents: "Process documents",
    CaptureMode.save_work_product: "Save final work product",
    CaptureMode.add_to_library: "Add to library",
    CaptureMode.ask_each_time: "Ask each time",
}
_NARROW = ("moduleKey", "moduleType", "portName", "captureMode", "portLevel", "appliesTo")


def view(data: Data, _asked: Asked) -> Data:
    nodes = data["policies"]["nodes"]
    general = next((one for one in nodes if _is_general(one)), None)
    return {
        "general": general,
        "others": [one for one in nodes if one is not general],
        "levels": [*IntakeLevel],
        "fields": FIELDS,
        "private": PRIVATE,
        "modes": MODES,
        "every": EVERY_TASK,
    }


def _is_general(policy: Data) -> bool:
    return policy["taskKey"] == EVERY_TASK and not any(policy[name] for name in _NARROW)
