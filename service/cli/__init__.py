"""The `tasklore` command. Modules of commands are imported when one of theirs is called: help must be quick."""


def main() -> None:
    """The entry point that `pyproject.toml` names."""
    from service.cli.main import run  # noqa: PLC0415 - importing `service.cli.output` must not pull in all commands

    run()
