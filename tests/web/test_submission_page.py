"""The submission desk without script: every game's form comes back as it was sent, and nothing typed is lost."""

import re
import time
from collections.abc import Iterator
from datetime import date
from html import unescape
from html.parser import HTMLParser

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from pitboss.games.registry import GAMES
from pitboss.submission import template
from pitboss.submission.write import written_as
from pitboss.web.submitted import MOST
from pitboss.web.views.base import MOST_FIELDS
from pitboss.web.views.submission_draft import MOST_VALUES, Draft, of_address, of_form, template_values
from pitboss.web.views.submission_form import parts_of
from tests.web.harness import House, running

DAY = date(2026, 6, 1)
EVIL = "</textarea>\"'><img src=x onerror=alert(1)>"
COUNTING_S = 60.0


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('desk') / 'ledger.db'}", pages=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def http(house: House) -> Iterator[httpx.Client]:
    """A browser without script."""
    headers = {"Sec-Fetch-Site": "same-origin"}
    with httpx.Client(base_url=house.url, headers=headers, timeout=30, follow_redirects=True) as client:
        yield client


class Form(HTMLParser):
    """The fields of the desk, as a browser would send them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self.ids: list[str] = []
        self._inside = False
        self._select = self._area = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = given.get("id") == "desk"
        if not self._inside:
            return
        self.ids += [given["id"]] if "id" in given else []
        name, kind = given.get("name", ""), given.get("type", "")
        if tag == "input" and name and ("checked" in given or kind not in ("radio", "checkbox")):
            self.sent.append((name, given.get("value", "")))
        elif tag in ("select", "textarea"):
            self._select, self._area = (name, "") if tag == "select" else ("", name)
        elif tag == "option" and "selected" in given:
            self.sent.append((self._select, given["value"]))

    def handle_data(self, data: str) -> None:
        if self._area:
            self.sent.append((self._area, data.removeprefix("\n")))
            self._area = ""

    @property
    def fields(self) -> dict[str, str]:
        return {name: value for name, value in self.sent if value}


def findings(text: str) -> list[str]:
    listed = re.findall(r'<li class="finding">(.*?)</li>', text, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", "", each)).split()) for each in listed]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_form_comes_back_as_it_was_sent(http: httpx.Client, game: str) -> None:
    form = Form(http.get("/submissions", params={"game": game, "effective": str(DAY)}).text)
    assert len(form.sent) < MOST_FIELDS - MOST_VALUES + 100, "with entries that the law doesn't know"
    assert len(form.ids) == len(set(form.ids))
    asked = {each.key for part in parts_of(GAMES[game].chapter, DAY) for each in part.fields}
    drawn = {name for name, _ in form.sent}
    assert not {key for key in asked if key not in drawn and not key.endswith("paytable")}
    assert of_form(form.fields, DAY).values == template_values(game, DAY)
    answer = http.post("/submissions", data={**form.fields, "do": "check"})
    assert (answer.status_code, answer.url.path) == (200, "/submissions")
    assert Form(answer.text).fields == form.fields


def test_a_failed_check_keeps_everything_typed(http: httpx.Client) -> None:
    form = Form(http.get("/submissions").text).fields
    typed = {"certificate_holder": EVIL, "seats": "99", "wagers.ante.minimum": "ten", "wagers.pair_plus.paytable": "Z"}
    answer = http.post("/submissions", data={**form, **typed, "do": "check"})
    assert answer.status_code == 422
    assert "<img src=x" not in answer.text
    again = Form(answer.text)
    assert {name: again.fields[name] for name in typed} == typed
    said = findings(answer.text)
    assert [each.partition(":")[0] for each in said] == [
        "Ante Wager, minimum, dollars",
        "Pair Plus Wager, pay table",
        "The table, seats",
    ]
    for place in re.findall(r'class="finding"><a href="#([^"]+)"', answer.text):
        assert place in again.ids
    assert http.get(str(answer.url).partition("#")[0]).text == answer.text, "the address is the whole state"
    right = {"seats": "6", "wagers.ante.minimum": "10", "wagers.pair_plus.paytable": "C"}
    mended = http.post("/submissions", data={**again.fields, **right, "do": "check"})
    assert mended.status_code == 200
    assert "No findings" in mended.text
    pays = mended.text.partition('aria-label="Pay tables of Pair Plus Wager"')[2].partition("</table>")[0]
    assert pays.count("<tr>") == pays.count('class="num mine"') == 7, "one column, from its letter to its hold"


VALUES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.data())
def test_an_address_is_the_whole_draft(game: str, data: st.DataObject) -> None:
    values = template_values(game, DAY)
    keys = sorted({*values, "facts.a b.é", "wagers.x.y.offered", "options.z"} - {"game", "effective"})
    for key in data.draw(st.lists(st.sampled_from(keys), max_size=5)):
        if data.draw(st.booleans()):
            chosen: st.SearchStrategy[str | bool] = st.booleans() if written_as(key, game) == "flag" else VALUES
            values[key] = data.draw(chosen)
        else:
            values.pop(key, None)
    address = Draft(values, DAY).address
    assert address.isascii()
    assert of_address(QueryParams(address.partition("?")[2]), DAY).values == values


def test_text_that_is_refused_changes_nothing_and_stays(http: httpx.Client) -> None:
    form = {**Form(http.get("/submissions").text).fields, "seats": "3"}
    nested = "seats = " + "[" * 5_000
    for text in (EVIL, "", "#" * (MOST + 1), nested, template("lunar-poker", DAY) + "\nseet = 3"):
        answer = http.post("/submissions", data={**form, "text": text, "do": "read"})
        assert answer.status_code == 422
        assert "The form is unchanged" in answer.text
        kept = Form(answer.text).fields
        assert (kept["seats"], kept.get("text", "")) == ("3", text)
    odd = template("lunar-poker", DAY) + '\n[wagers.pair_plus]\npaytable = "A"\n'
    read = http.post("/submissions", data={**form, "text": odd, "do": "read"})
    assert read.url.params["game"] == "lunar-poker"
    assert Form(read.text).fields["wagers.pair_plus.paytable"] == "A"
    dropped = http.post("/submissions", data={**Form(read.text).fields, "do": "drop:wagers.pair_plus.paytable"})
    assert "wagers.pair_plus.paytable" not in Form(dropped.text).fields


def test_two_submissions_are_compared(http: httpx.Client) -> None:
    form = {**Form(http.get("/submissions?game=lunar-poker").text).fields, "seats": "3"}
    against = http.post("/submissions", data={**form, "do": "compare:template"})
    assert against.url.params["against"] == "template"
    assert re.search(r"<td>The table, seats</td><td>\d</td><td class=\"mine\">3</td>", against.text)
    other = template("lunar-poker", date.fromisoformat(form["effective"])).replace("seats = ", "seats = 4 # ")
    answer = http.post("/submissions", data={**form, "other": other, "do": "compare:text"})
    assert "<td>The table, seats</td><td>4</td>" in answer.text
    assert Form(answer.text).fields["other"] == other


def test_a_departure_is_counted_and_accepted_by_name(http: httpx.Client) -> None:
    """The hold is counted by a worker; then the form asks who accepts it."""
    where = {"game": "ultimate-texas-hold-em", "facts.paytables.trips.A.flush": "30 to 1"}
    form = Form(http.get("/submissions", params=where).text).fields
    until = time.monotonic() + COUNTING_S
    while (answer := http.post("/submissions", data={**form, "do": "look"}).json())["counting"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    (said,) = findings(answer["desk"])
    assert said.startswith("Unusual holds, Trips Wager: The hold of the Trips Wager would be -")
    assert "acknowledged.trips" in answer["desk"]
    assert "needs a second, independent person" in answer["desk"]
    accepted = {**form, "acknowledged.trips": "Ada Byron"}
    while (answer := http.post("/submissions", data={**accepted, "do": "look"}).json())["counting"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    assert findings(answer["desk"]) == []
    assert 'trips = "Ada Byron"' in answer["text"]
    sheet = http.post("/submissions", data={**accepted, "do": "file:check.csv"})
    assert "facts.paytables.trips.A.flush" in sheet.text
    assert "attachment" in sheet.headers["content-disposition"]
    paper = http.post("/submissions", data={**accepted, "do": "file:form.pdf"})
    assert paper.content.startswith(b"%PDF")
    for name in ("form.json", "form.html", "form.xlsx", "check.pdf", "check.xlsx", "check.json", "submission.toml"):
        assert http.post("/submissions", data={**accepted, "do": f"file:{name}"}).status_code == 200
    assert http.post("/submissions", data={**accepted, "do": "file:check.exe"}).status_code == 404


def test_a_petition_and_the_mathematics_of_a_draft_are_counted_at_an_address_of_their_own(http: httpx.Client) -> None:
    form = Form(http.get("/submissions?game=sic-bo").text).fields
    form |= {"certificate_holder": "Ada's Casino"}
    petition = http.post("/submissions", data={**form, "state": "NV", "do": "count:petition.json"})
    assert petition.url.path == "/submissions/petition.json"
    assert petition.json()["petition"] == "NV"
    html = http.post("/submissions", data={**form, "state": "NJ", "do": "count:petition.html"})
    assert "Ada&#39;s Casino" in html.text
    assert "inline" in html.headers["content-disposition"]
    report = http.post("/submissions", data={**form, "do": "count:report.json"}).json()
    assert report["certificate_holder"] == "Ada's Casino"
    assert {each["outcome"] for each in report["second_opinion"]} == {"agrees exactly"}
    window = http.get(petition.url, headers={"Sec-Fetch-Dest": "document"})
    assert window.json()["petition"] == "NV", "what was counted before comes at once"
    refused = http.post("/submissions", data={**form, "seats": "99", "do": "count:petition.pdf"})
    assert "Settle the findings first" in refused.text
    assert Form(refused.text).fields["seats"] == "99"
    assert http.get(f"{petition.url}".replace("NV", "TX")).status_code == 400
    assert http.get("/submissions/petition.pdf?state=NJ&submission=x").status_code == 400
    assert http.get("/submissions/sign.pdf").status_code == 404
