"""The petition and the mathematics report of a submission, whose address holds the submission."""

from typing import Final
from urllib.parse import urlencode

from starlette.datastructures import QueryParams
from starlette.routing import Route

from pitboss.findings import UnreadableError
from pitboss.paper.files import MEDIA
from pitboss.reports.requirements import requirements
from pitboss.web.filing import petition_file, report_file
from pitboss.web.submitted import packed, unpacked
from pitboss.web.views.making import WantedFile, routes
from pitboss.web.views.submission_draft import LONGEST_ADDRESS
from pitboss.web.workroom import LONG

PATH: Final = "/submissions/{what}.{kind}"
STATES: Final = tuple((state, each.name) for state, each in requirements().items())
TOO_LONG: Final = (
    f"This submission is too long for an address of at most {LONGEST_ADDRESS // 1024} KiB. Download it as TOML; "
    "pitboss petition and pitboss report write the same files."
)


def address_of(what: str, kind: str, text: str, state: str = "") -> str:
    """The address of a file of a submission as TOML. Raise ``UnreadableError`` where it doesn't fit."""
    query = {"state": state} if state else {}
    found = f"{PATH.format(what=what, kind=kind)}?{urlencode(query | {'submission': packed(text)})}"
    if len(found) > LONGEST_ADDRESS:
        raise UnreadableError(TOO_LONG)
    return found


def read(what: str, kind: str, given: QueryParams) -> WantedFile | None:
    if kind not in MEDIA or what not in ("petition", "report"):
        return None
    text = unpacked(given.get("submission", ""))
    if what == "report":
        return WantedFile(what, kind, "mathematics of the submission", "mathematics", LONG, (report_file, text, kind))
    state = given.get("state", "")
    about = f"petition to {dict(STATES).get(state, 'a state')}"
    return WantedFile(what, kind, about, f"petition-{state[:2]}", LONG, (petition_file, text, state, kind))


ROUTES: Final[tuple[Route, ...]] = routes(PATH, read)
