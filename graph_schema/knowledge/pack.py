"""The knowledge pack: cards about the task system, and the manifest of what they were made from."""

from typing import Annotated

from pydantic import Field as PydanticField

from graph_schema.knowledge.words import (
    ActivationDecision,
    AuthorityLevel,
    CardFamily,
    MayAffect,
    PackReadiness,
    PackState,
    PackUse,
)
from graph_schema.library.words import SourceKind
from graph_schema.model.fields import EvidenceLayer, Key, LongText, Opaque, Text, Timestamp, field
from graph_schema.model.record import Record

Uses = Annotated[list[PackUse], PydanticField(max_length=len(PackUse))]
Affects = Annotated[list[MayAffect], PydanticField(max_length=len(MayAffect))]
Missing = Annotated[list[Text], PydanticField(max_length=2_000)]


class KnowledgePack(Record):
    """What was compiled at one time: its cards, what they were made from, how far it has come and what became of it."""

    label = "KnowledgePack"
    plural = "knowledge_packs"
    prefix = "kpack"
    layer = EvidenceLayer.memory
    colour = "#4f8fba"

    pack_hash: Key = field("Hash of all of its cards.", indexed=True, authored=False)
    pack_state: PackState = field("Where it stands.", filtered=True, authored=False)
    decision: ActivationDecision = field("What became of the compilation.", authored=False)
    reason: Text = field("Why.", default="", authored=False)
    readiness_state: PackReadiness = field("How far it has come.", authored=False)
    activated_for: Uses = field("What it may be used for.", make=list, authored=False)
    missing_by_state: Opaque | None = field("What each state of readiness lacks, as JSON.", default=None, hidden=True)
    missing_required_cards: Missing = field("What it lacks for production.", make=list, authored=False)
    card_count: int = field("How many cards it has.", default=0, authored=False, ge=0)
    coverage: LongText = field("How many cards of each family it has, as JSON.", authored=False)
    source_hashes: LongText = field("Hash of each kind of source, as JSON.", authored=False)
    sources: Opaque | None = field(
        "Hash of each source that no card was made from, as JSON; of the others, their cards have it.",
        default=None,
        hidden=True,
    )
    core_contract_ref: Key | None = field(
        "The contract that held then: its id and version. Null for the one that holds where none was saved.",
        default=None,
        authored=False,
    )
    eval_failures: Missing = field(
        "Checks of the evaluation suite that its own worked examples do not meet.", make=list, authored=False
    )
    blocking_drift: bool = field(
        "Whether what has changed since keeps it from being designed with, when that was last looked at.",
        default=False,
        authored=False,
    )
    drift_hash: Key | None = field("Hash of the drift that was last told of.", default=None, hidden=True)
    compiled_at: Timestamp = field("When it was compiled.", ordered=True, authored=False)
    compiled_by: Key = field("Id of the principal who had it compiled.", authored=False)
    prior_active_pack_id: Key | None = field("The pack that was active before.", default=None, authored=False)


class KnowledgeCard(Record):
    """Something to know about the task system: generated from what exists, written by people, or learned."""

    label = "KnowledgeCard"
    plural = "knowledge_cards"
    prefix = "kcard"
    layer = EvidenceLayer.memory
    colour = "#93bcd6"
    carded = True
    aside = True

    family: CardFamily = field("What kind of card it is.", filtered=True, authored=False)
    subject: Key = field(
        "What it is about: a module type, a code, a family of decisions.", indexed=True, authored=False
    )
    body: LongText = field("What it says.", fulltext=True, authored=False)
    detail: Opaque | None = field("The same for programs, as JSON.", default=None, authored=False)
    authority: SourceKind = field("Who or what says so.", authored=False)
    authority_level: AuthorityLevel = field("How much weight it has.", authored=False)
    may_affect: Affects = field("What it may bear on.", make=list, authored=False)
    source_ref: Key = field("What it was made from.", authored=False)
    source_hash: Key | None = field("Hash of what it was made from.", default=None, hidden=True)
    source_version: int | None = field("Version of the record that it was made from.", default=None, hidden=True)
    content_hash: Key = field("Hash of what it says and of what it was made from.", indexed=True, authored=False)
