"""What a page refuses before the API is asked."""

from service.errors import TaskloreError


class NotOneOf(TaskloreError):
    code = "invalid_value"

    def __init__(self, name: str, given: str, known: list[str]) -> None:
        super().__init__(f"{given[:80]!r} is none of the values of {name}.", field=name, remedy=_either(known))


class NotANumber(TaskloreError):
    code = "invalid_value"

    def __init__(self, name: str, given: str) -> None:
        super().__init__(f"{given[:80]!r} is no number.", field=name, remedy=f"Give {name} as a number.")


class FormNotOurs(TaskloreError):
    code = "form_not_ours"

    def __init__(self) -> None:
        super().__init__(
            "This form was not made for this session, and nothing was changed.",
            remedy="Open the page again and send its form.",
        )


class ShellDependency(TaskloreError):
    """A page for people who are no principals must not lean on what only the frame for principals has."""

    code = "validation.task_shared_surface_shell_dependency"

    def __init__(self, template: str, needs: list[str]) -> None:
        super().__init__(
            f"The shared page {template} needs {', '.join(needs)}, which only the pages for principals have.",
            remedy="Let it use the manifest alone, and parts of pages that are handed all they show.",
            facts={"needs": needs},
        )


def _either(known: list[str]) -> str:
    return f"It is one of {', '.join(known)}."
