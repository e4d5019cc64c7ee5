"""What there is: the pages, and the entries of the navigation."""

from typing import NamedTuple

from service.web.pages.administration.access import view as access
from service.web.pages.administration.agent import view as agent
from service.web.pages.administration.artifacts import view as handling
from service.web.pages.administration.muted import view as muted
from service.web.pages.agent import view as task_agent
from service.web.pages.artifacts import view as artifacts
from service.web.pages.assessments.all import view as assessments
from service.web.pages.assessments.one import view as assessment
from service.web.pages.attention.one import view as trace
from service.web.pages.blueprint.diff import view as blueprint_diff
from service.web.pages.blueprint.one import view as blueprint
from service.web.pages.designs.one import view as design
from service.web.pages.engine.page import Page
from service.web.pages.evaluations.one import view as evaluation
from service.web.pages.graph.diff import view as graph_diff
from service.web.pages.graph.one import view as graph
from service.web.pages.home import view as home
from service.web.pages.knowledge.cards import view as cards
from service.web.pages.knowledge.pack import view as knowledge
from service.web.pages.learning import view as learning
from service.web.pages.lineage import view as lineage
from service.web.pages.preflight import view as preflight
from service.web.pages.prompts.all import view as prompts
from service.web.pages.prompts.one import view as prompt
from service.web.pages.review.one import view as proposal
from service.web.pages.run.context import view as context
from service.web.pages.run.deliverables import view as deliverables
from service.web.pages.run.given import view as given
from service.web.pages.run.step import view as step
from service.web.pages.run.steps import view as steps
from service.web.pages.search import view as search
from service.web.pages.shares.all import view as shares
from service.web.pages.shares.new import view as new_share
from service.web.pages.shares.one import view as share
from service.web.pages.tasks.one import view as task
from service.web.pages.templates.one import view as template
from service.web.pages.tools.one import view as tool

BUILT = ("templates/built.graphql",)
DRAWN = ("graph/drawn.graphql",)
RUN = ("run/head.graphql",)


class Section(NamedTuple):
    name: str
    title: str
    address: str


SECTIONS = (
    Section("home", "Home", "/home"),
    Section("tasks", "Tasks", "/tasks"),
    Section("templates", "Templates", "/templates"),
    Section("review", "Review", "/review"),
    Section("entities", "Matters", "/entities"),
    Section("artifacts", "Artifacts", "/artifacts"),
    Section("learning", "Learning", "/assessments"),
    Section("attention", "Attention", "/attention"),
)

PAGES = (
    Page("home", "/home", "home", view=home.view),
    Page("run/steps", "/runs/{run}", "tasks", view=steps.view, fragments=RUN, root="run"),
    Page("run/deliverables", "/runs/{run}/deliverables", "tasks", view=deliverables.view, fragments=RUN, root="run"),
    Page("run/context", "/runs/{run}/context", "tasks", view=context.view, fragments=RUN, root="run"),
    Page("run/given", "/runs/{run}/given", "tasks", view=given.view, root="run"),
    Page("run/why", "/runs/{run}/why", "tasks"),
    Page("run/chosen", "/runs/{run}/why-not", "tasks"),
    Page("run/step", "/steps/{record}", "tasks", view=step.view, root="node"),
    Page("lineage", "/lineage/{record}", "", view=lineage.view, settle=lineage.settle, by_id=True),
    Page("tasks/saved", "/tasks", "tasks"),
    Page("tasks/history", "/tasks/history", "tasks"),
    Page("tasks/segments", "/tasks/segments", "tasks"),
    Page("tasks/presets", "/tasks/presets", "tasks"),
    Page("tasks/one", "/tasks/{record}", "tasks", view=task.view, fragments=BUILT, root="node"),
    Page("graph/one", "/graphs/{record}", "tasks", view=graph.view, settle=graph.settle, fragments=DRAWN, root="node"),
    Page("graph/diff", "/graphs/{record}/diff", "tasks", view=graph_diff.view, fragments=DRAWN, root="diffGraphs"),
    Page("blueprint/one", "/blueprints/{record}", "tasks", view=blueprint.view, root="node"),
    Page(
        "blueprint/diff",
        "/blueprints/{record}/diff",
        "tasks",
        view=blueprint_diff.view,
        settle=blueprint_diff.settle,
        root="blueprintDiff",
    ),
    Page("preflight", "/preflight/{record}", "tasks", view=preflight.view, root="node"),
    Page("designs/all", "/designs", "tasks"),
    Page("designs/one", "/designs/{record}", "tasks", view=design.view, fragments=BUILT, root="designSession"),
    Page("agent", "/agent", "tasks", view=task_agent.view, settle=task_agent.settle),
    Page("templates/all", "/templates", "templates"),
    Page("templates/match", "/templates/match", "templates"),
    Page("templates/one", "/templates/{record}", "templates", view=template.view, fragments=BUILT, root="node"),
    Page("entities/all", "/entities", "entities"),
    Page("entities/one", "/entities/{record}", "entities", root="node"),
    Page("review/all", "/review", "review"),
    Page("review/one", "/review/{record}", "review", view=proposal.view, root="node"),
    Page("review/case", "/review/cases/{record}", "review", root="node"),
    Page("shares/all", "/shares", "", view=shares.view),
    Page("shares/new", "/shares/new", "", view=new_share.view, root="node"),
    Page("shares/reply", "/shares/reply", ""),
    Page("shares/one", "/shares/{record}", "", view=share.view, root="node"),
    Page("administration/overview", "/administration", "", root="administration"),
    Page("administration/access", "/administration/access", "", view=access.view, root="administration"),
    Page("administration/log", "/administration/log", "", root="administration"),
    Page("administration/settings", "/administration/settings", "", root="administration"),
    Page("administration/agent", "/administration/agent", "", view=agent.view, root="administration"),
    Page("administration/artifacts", "/administration/artifacts", "", view=handling.view, root="administration"),
    Page("administration/muted", "/administration/muted", "", settle=muted.settle, root="administration"),
    Page("assessments/all", "/assessments", "learning", view=assessments.view),
    Page("assessments/one", "/assessments/{record}", "learning", view=assessment.view, root="node"),
    Page("evaluations/all", "/evaluations", "learning"),
    Page("evaluations/one", "/evaluations/{record}", "learning", view=evaluation.view, root="node"),
    Page("learning", "/learning", "learning", view=learning.view),
    Page("prompts/all", "/prompts", "learning", view=prompts.view, settle=prompts.settle, form="check-prompt"),
    Page("prompts/one", "/prompts/{record}", "learning", view=prompt.view, root="node"),
    Page("knowledge/pack", "/knowledge", "learning", view=knowledge.view),
    Page("knowledge/cards", "/knowledge/cards", "learning", view=cards.view, settle=cards.settle),
    Page("tools/all", "/tools", "learning"),
    Page("tools/one", "/tools/{tool}", "learning", view=tool.view, root="toolHealth"),
    Page("attention/inbox", "/attention", "attention"),
    Page("gate", "/gates/{record}", "attention", root="node"),
    Page("attention/traces", "/attention/traces", "attention"),
    Page("attention/one", "/attention/traces/{trace}", "attention", view=trace.view, root="attentionDecision"),
    Page("attention/report", "/attention/report", "attention"),
    Page("artifacts", "/artifacts", "artifacts", view=artifacts.view),
    Page("search", "/search", "", settle=search.settle),
    Page("records", "/records/{record}", "", root="node"),
)
