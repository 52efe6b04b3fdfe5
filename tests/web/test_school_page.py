"""The school without script: forms say what was meant, a drill stands in its address, an exam can't be repeated or read
beforehand, and no question gives away what a dealer doesn't see."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from pitboss.cards import show_card
from pitboss.clock import MICROSECONDS, day_of
from pitboss.games.registry import GAMES
from pitboss.ledger.schooling import attempts_of, question, sitting
from pitboss.school.exercise import JOINED, NONE, Exercise, grade
from pitboss.school.kinds import ask, every_pair, kinds_of
from pitboss.school.live import SchoolTable
from pitboss.table.state import Phase
from pitboss.web.security import COOKIE
from pitboss.web.views.drill import OpenDrill, missed, typed_answers
from tests.web.harness import House, running

DAY, GAME = date(2024, 6, 1), "three-card-poker"
SAME = {"Sec-Fetch-Site": "same-origin"}


def sent(exercise: Exercise, *, wrong: bool = False) -> Iterator[tuple[str, str]]:
    """What a browser sends when everything is filled in right, or wrong."""
    for place, item in enumerate(exercise.items):
        answer = next(iter(item.wrong())) if wrong else item.right
        chosen = answer.split(JOINED)
        if item.form == "money":
            yield f"i{place}", answer
        elif item.form == "order":
            yield from ((f"i{place}.{at}", str(chosen.index(each) + 1)) for at, each in enumerate(item.options, 1))
        elif item.form == "one":
            yield f"i{place}", str(item.options.index(answer) + 1)
        elif answer != NONE:
            yield from ((f"i{place}.{at}", "1") for at, each in enumerate(item.options, 1) if each in chosen)


class Trainee:
    """A browser that runs no script, with one page open."""

    def __init__(self, house: House, who: str = "") -> None:
        self.http = httpx.Client(base_url=house.url, timeout=30, follow_redirects=True, headers=SAME)
        if who:
            self.http.cookies.set(COOKIE, house[who].token)
        self.page = self.go("/school")

    def go(self, address: str) -> httpx.Response:
        self.page = self.http.get(address)
        return self.page

    @property
    def text(self) -> str:
        return unescape(self.page.text)

    def hidden(self) -> dict[str, str]:
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', self.page.text))

    def press(self, **fields: str) -> httpx.Response:
        self.page = self.http.post(str(self.page.url), data={**self.hidden(), **fields})
        return self.page

    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(str(self.page.url)).query).items()}

    def exercise(self) -> Exercise:
        """The question of the drill that is open."""
        query = self.query()
        return ask(query["ask"], query["game"], day_of(int(query["at"]) * MICROSECONDS), int(query["seed"]))

    def follow(self) -> httpx.Response:
        return self.go(unescape(re.findall(r'href="([^"]+)" id="following"', self.page.text)[0]))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('school') / 'ledger.db'}", pages=True) as opened:
        yield opened


def test_what_a_form_sends_is_what_was_meant(house: House) -> None:
    """Every kind of question is drawn with a field for each item; filled in right, all of it is right."""
    anybody, forms = Trainee(house), set()
    pairs = [(kind, game) for kind, game in every_pair() if game in (GAME, "roulette", "seven-card-stud")]
    for kind, game in pairs:
        assert anybody.go(f"/school?game={game}&kind={kind}&seed=4").status_code == 200, (kind, game)
        exercise = anybody.exercise()
        form = dict(sent(exercise))
        assert form.keys() <= {*re.findall(r'name="(i\d+(?:\.\d+)?)"', anybody.page.text)}, (kind, game)
        graded = grade(exercise, typed_answers(exercise, form))
        assert graded.right == len(exercise.items), (kind, game)
        nonsense = grade(exercise, typed_answers(exercise, {"i9": "1", "i0.x": "1"}))
        assert nonsense.right == sum(item.right == NONE for item in exercise.items), (kind, game)
        forms |= {item.form for item in exercise.items}
    assert forms == {"one", "some", "order", "money"}


def test_a_drill_stands_in_its_address(house: House) -> None:
    anybody = Trainee(house)
    anybody.go(f"/school?game={GAME}&kind=settle&seed=5")
    exercise = anybody.exercise()
    form = dict(sent(exercise, wrong=True))
    money = next(f"i{place}" for place, item in enumerate(exercise.items) if item.form == "money")
    unreadable = anybody.press(**form | {money: "ten"})
    assert unreadable.status_code == 422
    assert "'ten' is not an amount" in anybody.text
    assert 'value="ten"' in anybody.text
    anybody.go(str(unreadable.url))
    graded = anybody.press(**form)
    assert "answers=" in str(graded.url)
    assert all(unescape(item.ask) in anybody.text for item in exercise.items)
    assert all(f'href="/law?cite={cite[:4]}' in anybody.text for cite in exercise.cites)
    assert anybody.go(str(graded.url)).text == graded.text, "a reload shows the same"
    anybody.follow()
    assert "question 2 of 10" in anybody.text
    assert "0 right, 1 wrong, 9 to go" in anybody.text
    pinned = anybody.text.partition("Wrong until it’s right")[2]
    assert exercise.items[0].ask in pinned
    assert exercise.items[0].cites[0] in pinned


def test_a_mistake_is_pinned_until_its_paragraphs_are_answered_right() -> None:
    now = 1_717_250_400
    exercise = ask("pay", GAME, day_of(now * MICROSECONDS), 3)
    wrong = OpenDrill(GAME, "pay", "pay", 3, now, answers="1", seconds=2)
    following = wrong.going_on()
    assert [each.seed for each in following.pins] == [3]
    again = replace(following, asked="pay", seed=3, at=now)
    assert missed(again.pinned(again.pins[0])) == {*exercise.cites}
    assert [each.seed for each in replace(again, answers="2").going_on().pins] == [3]
    done = replace(again, answers=exercise.items[0].right).going_on()
    assert done.pins == ()
    assert [each.right for each in done.past] == [False, True]
    late = replace(again, answers=exercise.items[0].right, seconds=exercise.seconds + 1)
    assert not late.graded.right


def test_an_answer_is_recorded_once_and_comes_back_on_the_desk(house: House) -> None:
    trainee = Trainee(house, "dealer-1")
    trainee.go("/")
    assert "Begin with a drill" in trainee.text
    trainee.go(f"/school?game={GAME}&kind=pay&seed=3")
    question_page, cites = trainee.page, trainee.exercise().cites
    for answer in ("1", "2", "1"):
        trainee.page = question_page
        trainee.press(i0=answer)
    attempts = attempts_of(house.store, "dealer-1")
    assert [(each.kind, each.seed, each.right) for each in attempts] == [("pay", 3, 0)]
    for kind in ("read", "compare"):
        trainee.go(f"/school?game={GAME}&kind={kind}&seed=3")
        trainee.press(**dict(sent(trainee.exercise())))
    trainee.go("/")
    assert any(f"{cite}</a> comes back" in trainee.page.text for cite in cites)
    trainee.go(f"/school?game={GAME}")
    assert trainee.query()["ask"] == "pay", "what is due is asked first"


def set_exam(house: House, title: str, **fields: str) -> Trainee:
    floor = Trainee(house, "floor-1")
    floor.go("/school/class")
    floor.press(title=title, game=GAME, questions="3", minutes="10", attempts="2", **fields)
    return floor


def begin(trainee: Trainee, title: str) -> httpx.Response:
    trainee.go("/school")
    number = re.findall(
        rf'name="begin" value="(\d+)">\s*<button class="btn " aria-label="Begin {title}"', trainee.page.text
    )
    return trainee.press(begin=number[0]) if number else trainee.page


def test_an_exam_is_neither_read_beforehand_nor_answered_twice(house: House) -> None:
    """Six answers at once are recorded once; no address and no page has a seed, and none of ours gives a question."""
    floor = set_exam(house, "Week one")
    assert "The exam is set" in floor.text
    trainee, other = Trainee(house, "dealer-1"), Trainee(house, "manager-1")
    begin(trainee, "Week one")
    number = int(trainee.query()["number"])
    assert trainee.query().keys() == {"number"}
    exercise = question(house.store, sitting(house.store, number), 1)
    assert str(exercise.seed) not in trainee.text
    other.go(f"/school?game={GAME}&kind={exercise.kind}&seed={exercise.seed}")
    assert other.exercise().seed != exercise.seed
    assert other.go(f"/school/exam?number={number}").status_code == 404
    fields = {**trainee.hidden(), **dict(sent(exercise))}
    with ThreadPoolExecutor(6) as pool:
        answers = [*pool.map(lambda _: trainee.http.post(str(trainee.page.url), data=fields), range(6))]
    assert {each.status_code for each in answers} == {200}
    assert all("question 2 of 3" in each.text for each in answers)
    assert [each.number for each in attempts_of(house.store, "dealer-1") if each.exam == number] == [1]
    trainee.go(str(trainee.page.url))  # what was answered is not asked again
    assert "question 2 of 3" in trainee.text


def test_a_third_attempt_is_refused(house: House) -> None:
    set_exam(house, "Week two")
    trainee = Trainee(house, "cashier-1")
    trainee.go("/school")
    fields = {**trainee.hidden()}
    for attempt in (1, 2):
        begin(trainee, "Week two")
        number = int(trainee.query()["number"])
        assert f"attempt {attempt} of 2" in trainee.text
        for place in (1, 2, 3):
            exercise = question(house.store, sitting(house.store, number), place)
            trainee.press(**dict(sent(exercise, wrong=attempt == 1)))
        assert ("not passed" if attempt == 1 else "100%, passed") in trainee.text
    assert trainee.query().keys() == {"number"}
    trainee.go("/school")
    assert "no attempt left" in trainee.text
    number_set = sitting(house.store, number).set
    refused = trainee.press(csrf=fields["csrf"], begin=str(number_set))
    assert refused.status_code == 422
    assert "as often as it allows" in trainee.text
    paper = trainee.go(f"/school/certificate?number={number}")
    assert "Certificate of the dealer school" in paper.text
    assert Trainee(house, "floor-1").go(f"/school/certificate?number={number}").status_code == 200
    assert Trainee(house, "dealer-1").go(f"/school/certificate?number={number}").status_code == 403


@pytest.mark.parametrize("game", [name for name in GAMES if "deal" in kinds_of(name)])
def test_no_question_shows_a_card_that_lies_face_down(game: str) -> None:
    live = SchoolTable(game, DAY, "covered")
    assert live.comes_to(Phase.DECIDING)
    play = live.table.play
    assert play is not None
    covered = {show_card(each.card) for each in play.dealt if each.card is not None and not each.face_up}
    laid = live.laid()
    shown = {card for cards in laid.view["round"]["hands"].values() for card in cards}
    assert covered
    assert not covered & shown
    assert {show_card(card) for row in laid.rows for card in row.cards} == shown - {"??"}
