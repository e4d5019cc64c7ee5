"""What there is: the pages, and the entries of the navigation."""

from typing import NamedTuple

from service.web.pages.administration.access import view as access
from service.web.pages.administration.agent import view as agent
from service.web.pages.administration.artifacts import view as artifacts
from service.web.pages.administration.muted import view as muted
from service.web.pages.engine.page import Page
from service.web.pages.home import view as home
from service.web.pages.lineage import view as lineage
from service.web.pages.review.one import view as proposal
from service.web.pages.run.context import view as context
from service.web.pages.run.deliverables import view as deliverables
from service.web.pages.run.given import view as given
from service.web.pages.run.steps import view as steps
from service.web.pages.shares.all import view as shares
from service.web.pages.shares.new import view as new_share
from service.web.pages.shares.one import view as share
from service.web.pages.tasks.one import view as task
from service.web.pages.templates.one import view as template

BUILT = ("templates/built.graphql",)
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
)

PAGES = (
    Page("home", "/home", "home", view=home.view),
    Page("run/steps", "/runs/{run}", "tasks", view=steps.view, fragments=RUN, root="run"),
    Page("run/deliverables", "/runs/{run}/deliverables", "tasks", view=deliverables.view, fragments=RUN, root="run"),
    Page("run/context", "/runs/{run}/context", "tasks", view=context.view, fragments=RUN, root="run"),
    Page("run/given", "/runs/{run}/given", "tasks", view=given.view, root="run"),
    Page("run/why", "/runs/{run}/why", "tasks"),
    Page("run/chosen", "/runs/{run}/why-not", "tasks"),
    Page("lineage", "/lineage/{record}", "", view=lineage.view, settle=lineage.settle),
    Page("tasks/saved", "/tasks", "tasks"),
    Page("tasks/history", "/tasks/history", "tasks"),
    Page("tasks/segments", "/tasks/segments", "tasks"),
    Page("tasks/presets", "/tasks/presets", "tasks"),
    Page("tasks/one", "/tasks/{record}", "tasks", view=task.view, fragments=BUILT, root="node"),
    Page("templates/all", "/templates", "templates"),
    Page("templates/match", "/templates/match", "templates"),
    Page("templates/one", "/templates/{record}", "templates", view=template.view, fragments=BUILT, root="node"),
    Page("entities/all", "/entities", "entities"),
    Page("entities/one", "/entities/{record}", "entities", root="node"),
    Page("review/all", "/review", "review"),
    Page("review/one", "/review/{record}", "review", view=proposal.view, root="node"),
    Page("shares/all", "/shares", "", view=shares.view),
    Page("shares/new", "/shares/new", "", view=new_share.view, root="node"),
    Page("shares/reply", "/shares/reply", ""),
    Page("shares/one", "/shares/{record}", "", view=share.view, root="node"),
    Page("administration/overview", "/administration", "", root="administration"),
    Page("administration/access", "/administration/access", "", view=access.view, root="administration"),
    Page("administration/log", "/administration/log", "", root="administration"),
    Page("administration/settings", "/administration/settings", "", root="administration"),
    Page("administration/agent", "/administration/agent", "", view=agent.view, root="administration"),
    Page("administration/artifacts", "/administration/artifacts", "", view=artifacts.view, root="administration"),
    Page("administration/muted", "/administration/muted", "", settle=muted.settle, root="administration"),
    Page("search", "/search", ""),
    Page("records", "/records/{record}", "", root="node"),
)
