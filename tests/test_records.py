"""Records that remember what was worked out of them."""

import threading
from dataclasses import dataclass

from pitboss.records import once


@dataclass(frozen=True)
class Work:
    """Something whose result asks a thread for the result of another one."""

    below: "Work | None" = None

    @once
    def result(self) -> int:
        """Its own share and that of the work below it."""
        found: list[int] = []
        if self.below is not None:
            below = self.below
            worker = threading.Thread(target=lambda: found.append(below.result), daemon=True)
            worker.start()
            worker.join(10)
        return 1 + sum(found)


def test_a_property_is_worked_out_once_and_holds_up_no_other_instance() -> None:
    work = Work(Work())
    assert work.result == 2
    assert "result" in vars(work)
    assert work.result == 2
    assert (Work.result.__doc__ or "").startswith("Its own share")
