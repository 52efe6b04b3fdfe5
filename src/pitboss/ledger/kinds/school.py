"""The dealer school: answers, exams, and the secret that draws their questions."""

from msgspec import UNSET, UnsetType, field

from pitboss.names import several
from pitboss.table.happened import Happened, happens


@happens("school.answered")
class SchoolAnswered(Happened, frozen=True, kw_only=True):
    game: str
    drill: str = field(name="kind")
    seed: int
    as_of: str
    right: int
    items: int
    marks: tuple[tuple[str, bool], ...]
    """Paragraphs, each with whether it was right."""
    seconds: int
    exam: int
    number: int
    given: dict[str, str]
    late: bool

    @property
    def question(self) -> tuple[int, str, str, int, str]:
        """What makes the question again."""
        return self.exam, self.game, self.drill, self.seed, self.as_of

    def says(self) -> str:
        return f"A question of the dealer school was answered: {self.right} of {self.items} right."


class OfExam(Happened, frozen=True, kw_only=True):
    """An exam that was set or begun. Those of version 0.1 have a seed in place of attempts."""

    title: str
    game: str
    as_of: str
    questions: int
    minutes: int
    attempts: int | UnsetType = UNSET
    seed: int | UnsetType = UNSET

    def counted(self) -> str:
        return f"seed {self.seed}" if isinstance(self.attempts, UnsetType) else several(self.attempts, "attempt")

    def exam_words(self, done: str) -> str:
        what = f"{self.questions} questions in {self.minutes} minutes, {self.counted()}"
        return f"The exam {self.title} was {done}: {what}."


@happens("school.exam-set")
class SchoolExamSet(OfExam, frozen=True, kw_only=True):
    def says(self) -> str:
        return self.exam_words("set")


@happens("school.exam-begun")
class SchoolExamBegun(OfExam, frozen=True, kw_only=True):
    set: int | UnsetType = UNSET
    """The exam that it is an attempt at: the number of its event."""
    attempt: int | UnsetType = UNSET

    def counted(self) -> str:
        if isinstance(self.attempt, UnsetType):
            return super().counted()
        return f"attempt {self.attempt} of {self.attempts}"

    def says(self) -> str:
        return self.exam_words("begun")


@happens("school.sealed")
class SchoolSealed(Happened, frozen=True, kw_only=True):
    deck: str
    commitment: str

    def says(self) -> str:
        return f"The secret from which exams are drawn was sealed as {self.commitment}."
