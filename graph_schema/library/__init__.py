"""Task assets and design knowledge."""

from graph_schema.library.assets import Preset, Segment, Task, Template, TemplateGroup
from graph_schema.library.blueprints import Blueprint, Contract, Criterion, ReviewPoint, SideEffect, StepIntent
from graph_schema.library.design import Case, Decision, Directive, Lesson, Pattern
from graph_schema.library.graphs import GraphSnapshot, Module, ModuleType
from graph_schema.library.relations import RELATIONS

RECORDS = (
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
)

__all__ = ["RECORDS", "RELATIONS"]
