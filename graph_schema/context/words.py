"""The specification's vocabularies of scope and context, in its own words."""

from enum import StrEnum


class LaunchSurface(StrEnum):
    """What a run was launched from."""

    chat = "chat"
    task_ui = "task_ui"
    task_canvas = "task_canvas"
    run_inspector = "run_inspector"
    schedule_trigger = "schedule_trigger"
    email_trigger = "email_trigger"
    webhook_trigger = "webhook_trigger"
    file_watcher_trigger = "file_watcher_trigger"
    external_event = "external_event"
    task_complete_trigger = "task_complete_trigger"
    manual_api = "manual_api"
    ec_system_job = "ec_system_job"
    unknown = "unknown"


BACKGROUND = (
    LaunchSurface.schedule_trigger,
    LaunchSurface.email_trigger,
    LaunchSurface.webhook_trigger,
    LaunchSurface.file_watcher_trigger,
    LaunchSurface.external_event,
    LaunchSurface.task_complete_trigger,
    LaunchSurface.ec_system_job,
)
"""Where nobody sits in front: such a run has no surface that it could inherit."""


class SurfacePolicy(StrEnum):
    """What a run may take over from the surface that it was launched from."""

    not_applicable = "not_applicable"
    none = "none"
    explicit_inherit = "explicit_inherit"
    explicit_selected = "explicit_selected"
    trigger_bound = "trigger_bound"
    template_bound = "template_bound"
    forbidden = "forbidden"


class Binding(StrEnum):
    """How something came to be in the scope of a run, from the strongest to the weakest."""

    manual_user_selected = "manual_user_selected"
    explicit_task_scope = "explicit_task_scope"
    module_input_resolved = "module_input_resolved"
    trigger_resolved = "trigger_resolved"
    email_bound = "email_bound"
    schedule_bound = "schedule_bound"
    blueprint_bound = "blueprint_bound"
    template_bound = "template_bound"
    library_bound = "library_bound"
    system_context_task = "system_context_task"
    selected_surface_context = "selected_surface_context"
    inherited_from_launch_surface = "inherited_from_launch_surface"
    none = "none"


class BindingStatus(StrEnum):
    """Whether a binding holds. What is doubtful is a candidate and gives nothing."""

    bound = "bound"
    candidate = "candidate"


class TriggerKind(StrEnum):
    """What began a run: an event, or somebody by hand, in a chat or by a fork of another run."""

    email = "email"
    schedule = "schedule"
    webhook = "webhook"
    file_watcher = "file_watcher"
    discord = "discord"
    forum_panel = "forum_panel"
    task_complete = "task_complete"
    manual_api = "manual_api"
    system_job = "system_job"
    manual = "manual"
    chat = "chat"
    fork = "fork"


class SurfaceKind(StrEnum):
    """What kind of surface somebody works on."""

    chat = "chat"
    room = "room"
    task_editor = "task_editor"
    run_inspector = "run_inspector"
    library = "library"
    document_viewer = "document_viewer"
    panel = "panel"
    browser = "browser"


class MemoryKind(StrEnum):
    """What kind of memory it is."""

    directive = "directive"
    excerpt = "excerpt"


class Profile(StrEnum):
    """Which layers a module's packet may have at most."""

    none = "none"
    policy_only = "policy_only"
    task_scoped = "task_scoped"
    domain_aware = "domain_aware"
    evaluator = "evaluator"
    delivery = "delivery"
    coding = "coding"
    design = "design"


class ContextLayer(StrEnum):
    """The layers of a packet."""

    restrictions = "restrictions"
    output_artifact_policy = "output_artifact_policy"
    trigger_context = "trigger_context"
    recurrence_context = "recurrence_context"
    task_blueprint_context = "task_blueprint_context"
    entity_cards = "entity_cards"
    documents = "documents"
    libraries = "libraries"
    tools = "tools"
    procedures = "procedures"
    preferences = "preferences"
    memory_excerpts = "memory_excerpts"
    prompt_or_evaluation_guidance = "prompt_or_evaluation_guidance"
    task_template_context = "task_template_context"
    prior_task_runs = "prior_task_runs"
    specialist_agents = "specialist_agents"


class ContextUse(StrEnum):
    """What a module does with something that it is given."""

    follow = "follow"
    information = "information"


class CandidateKind(StrEnum):
    """What was considered for a packet."""

    surface_context = "surface_context"
    active_chat_context = "active_chat_context"
    active_work_context = "active_work_context"
    memory_directive = "memory_directive"
    entity_card = "entity_card"
    library = "library"
    prior_task_run = "prior_task_run"
    procedure = "procedure"
    tool_capability = "tool_capability"
    document = "document"
    task_template = "task_template"
    module_preset = "module_preset"


class ExclusionReason(StrEnum):
    """Why something was kept out of a packet."""

    not_task_bound = "not_task_bound"
    not_run_bound = "not_run_bound"
    surface_context_not_applicable = "surface_context_not_applicable"
    low_relevance = "low_relevance"
    wrong_matter = "wrong_matter"
    wrong_library = "wrong_library"
    wrong_task_type = "wrong_task_type"
    wrong_trigger_scope = "wrong_trigger_scope"
    policy_blocked = "policy_blocked"
    budget_trimmed = "budget_trimmed"
    profile_excludes_component = "profile_excludes_component"
    module_config_denied = "module_config_denied"
    incognito_or_memory_suppressed = "incognito_or_memory_suppressed"
    active_context_recency_only = "active_context_recency_only"
    requires_user_selection = "requires_user_selection"
    source_visibility_blocked = "source_visibility_blocked"


class Stage(StrEnum):
    """The gates that a candidate passes, in this order."""

    visibility = "visibility"
    policy = "policy"
    memory_mode = "memory_mode"
    scope = "scope"
    library_rule = "library_rule"
    document_rule = "document_rule"
    module_policy = "module_policy"
    profile = "profile"
    relevance = "relevance"
    budget = "budget"


class CapabilityMode(StrEnum):
    """How a module comes by its capabilities."""

    auto = "auto"
    explicit = "explicit"
    explicit_plus_auto_relevant = "explicit_plus_auto_relevant"
    none = "none"


class SideEffectPolicy(StrEnum):
    """What a module may do to the outside world, from the strictest."""

    block_all_external_side_effects = "block_all_external_side_effects"
    allow_with_confirmation = "allow_with_confirmation"
    allow_if_non_duplicate = "allow_if_non_duplicate"


class ExpansionBasis(StrEnum):
    """Why a module needs a capability that it was not given at first."""

    upstream_prompt_detected = "upstream_prompt_detected"
    missing_required_capability = "missing_required_capability"
    failure_recovery = "failure_recovery"
    doc24_relevance = "doc24_relevance"


class FeedbackTarget(StrEnum):
    """What feedback is about: a piece of context, or something that was shared."""

    injected_memory = "injected_memory"
    injected_entity = "injected_entity"
    injected_procedure = "injected_procedure"
    injected_tool = "injected_tool"
    injected_connector = "injected_connector"
    injected_document = "injected_document"
    injected_library = "injected_library"
    excluded_candidate = "excluded_candidate"
    prompt_layer = "prompt_layer"
    context_packet = "context_packet"
    shared_task = "shared_task"
    shared_run = "shared_run"
    shared_artifact = "shared_artifact"


class FeedbackVerdict(StrEnum):
    """What somebody thinks of a piece of context."""

    helpful = "helpful"
    not_helpful = "not_helpful"
    wrong = "wrong"
    missing = "missing"
    too_much = "too_much"
    should_have_been_included = "should_have_been_included"
    should_have_been_excluded = "should_have_been_excluded"
