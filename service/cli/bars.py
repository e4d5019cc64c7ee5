"""Progress bars on a terminal: one for each kind of work that says how far it has got."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from service.progress import Part


class Bar:
    """The bar of the work that is going on. It goes away when it is done."""

    def __init__(self, part: Part) -> None:
        self.what = part.what
        columns = (TextColumn("          {task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task: TaskID = self._shown.add_task(part.what, total=part.total)
        self._shown.start()
        self.move(part)

    def move(self, part: Part) -> None:
        self._shown.update(self._task, completed=part.done, total=part.total)

    def stop(self) -> None:
        self._shown.stop()
