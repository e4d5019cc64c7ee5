"""What a module does and works from, read from the fields that its type has. Summaries are extracts; no model."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from service.context.packets.inputs import ContextPort, ModuleConfigInput, PortInputInput
from service.context.packets.profiles import family_of

EXTRACT = 600


@dataclass(frozen=True, slots=True)
class Basis:
    """What a packet is assembled for."""

    module_type: str | None
    primary_instruction_summary: str | None = None
    output_contract_summary: str | None = None
    evaluation_or_review_basis: str | None = None
    data_input_summary: str | None = None
    context_input_summary: str | None = None
    instruction_input_summary: str | None = None
    file_input_summary: str | None = None
    trigger_payload_summary: str | None = None
    side_effect_class: str | None = None

    def text(self, purpose: str) -> str:
        """What candidates are compared with."""
        told = [getattr(self, one.name) for one in fields(self) if one.name not in {"module_type", "side_effect_class"}]
        return "\n".join(one for one in (purpose, *told) if one)

    def values(self) -> dict[str, str]:
        found = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "module_type"}
        return {name: value for name, value in found.items() if value is not None}


def basis_of(
    module_type: str | None,
    config: ModuleConfigInput,
    ports: Sequence[PortInputInput],
    side_effect_class: str | None = None,
) -> Basis:
    came = {port: extract("\n".join(one.summary for one in ports if one.port is port)) for port in ContextPort}
    shared = {
        "module_type": module_type,
        "data_input_summary": came[ContextPort.data],
        "context_input_summary": came[ContextPort.context],
        "instruction_input_summary": came[ContextPort.instruction],
        "file_input_summary": came[ContextPort.file],
        "trigger_payload_summary": came[ContextPort.trigger_payload],
        "side_effect_class": side_effect_class,
    }
    return Basis(**{**shared, **_of_type(module_type, config, came, side_effect_class)})


def _of_type(
    module_type: str | None, config: ModuleConfigInput, came: dict[ContextPort, str | None], side_effect: str | None
) -> dict[str, str | None]:
    """What is particular to a type of module. The others are read as an agent's task is."""
    match module_type:
        case "step.judge" | "step.experiment" | "step.claim_extractor":
            return {
                "primary_instruction_summary": extract("\n".join(config.dimensions)) or extract(config.instruction),
                "output_contract_summary": extract(config.output_contract) or "scores with the evidence for each",
                "evaluation_or_review_basis": extract(config.evaluation_instruction),
                "data_input_summary": came[ContextPort.candidate] or came[ContextPort.data],
                "context_input_summary": came[ContextPort.comparison_bundle] or came[ContextPort.context],
            }
        case "step.agent_review_gate" | "step.agent_review":
            return {
                "primary_instruction_summary": extract(config.review_criteria) or extract(config.instruction),
                "output_contract_summary": "approve, revise or reject, with feedback",
                "evaluation_or_review_basis": extract(config.review_criteria),
            }
        case "step.coding":
            return {
                "primary_instruction_summary": extract("\n".join(config.assignments)) or extract(config.instruction),
                "output_contract_summary": extract(config.output_contract) or "diffs, test results and changed files",
            }
        case _ if family_of(module_type) == "output":
            naming = "\n".join(one for one in (config.naming_instructions, config.directory_instructions) if one)
            return {
                "primary_instruction_summary": extract(naming) or extract(config.instruction),
                "output_contract_summary": extract(config.output_contract) or "a delivery with its receipt",
                "side_effect_class": side_effect or ("file_write" if module_type == "output.file" else None),
            }
        case _:
            return {
                "primary_instruction_summary": extract(config.instruction),
                "output_contract_summary": extract(config.output_contract),
            }


def extract(text: str | None) -> str | None:
    """The text itself if it is short, else its beginning up to the last whole word that fits."""
    said = " ".join((text or "").split())
    if len(said) <= EXTRACT:
        return said or None
    return said[: EXTRACT - 1].rsplit(" ", 1)[0] + "…"
