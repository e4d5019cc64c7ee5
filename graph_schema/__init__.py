"""The single source of truth about the graph: record types, relations, indexes, reference and Browser style."""

from graph_schema.after import Consult, FollowUp, Fork, Thread
from graph_schema.assets import Preset, Segment, Task, Template, TemplateGroup
from graph_schema.audit import AuditExport
from graph_schema.blueprints import Blueprint, Contract, Criterion, ReviewPoint, SideEffect, StepIntent
from graph_schema.context import (
    Agent,
    ContextPacket,
    ExpansionReceipt,
    Feedback,
    Memory,
    Schedule,
    ScopeEnvelope,
    SurfaceContext,
    Trigger,
)
from graph_schema.design import Case, Decision, Directive, Lesson, Pattern
from graph_schema.graphs import GraphSnapshot, Module, ModuleType
from graph_schema.happened import (
    Activation,
    Artifact,
    Delivery,
    Gate,
    Intervention,
    NativeEvent,
    Run,
    Session,
    Span,
    Tombstone,
)
from graph_schema.knowledge import Card, Phrase
from graph_schema.matching import MatchDecision
from graph_schema.policies import IntakeReceipt, LibraryIntent, Policy
from graph_schema.registry import Registry
from graph_schema.relations import RELATIONS
from graph_schema.second_lane import Extraction
from graph_schema.snapshots import Checkpoint, Snapshot
from graph_schema.system import SYSTEM
from graph_schema.work import Capability, Entity, Goal, Preference, Procedure, Restriction, WorkProduct

RECORDS = (
    Entity,
    Goal,
    Preference,
    Restriction,
    Procedure,
    Memory,
    Capability,
    Agent,
    SurfaceContext,
    Schedule,
    WorkProduct,
    Task,
    Blueprint,
    StepIntent,
    Contract,
    Criterion,
    ReviewPoint,
    SideEffect,
    Template,
    TemplateGroup,
    Preset,
    Segment,
    GraphSnapshot,
    Module,
    ModuleType,
    Pattern,
    Case,
    Decision,
    Lesson,
    Directive,
    Run,
    Activation,
    Span,
    Artifact,
    Delivery,
    Gate,
    Snapshot,
    Checkpoint,
    Session,
    Intervention,
    NativeEvent,
    Trigger,
    ScopeEnvelope,
    ContextPacket,
    ExpansionReceipt,
    Feedback,
    MatchDecision,
    Fork,
    FollowUp,
    Thread,
    Consult,
    Extraction,
    AuditExport,
    Policy,
    IntakeReceipt,
    LibraryIntent,
    Card,
    Phrase,
    Tombstone,
)
REGISTRY = Registry(RECORDS, RELATIONS, SYSTEM)

__all__ = ["REGISTRY"]
