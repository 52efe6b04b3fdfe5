"""Every transcript of the README and of docs/ is run here, and every link leads somewhere.

A fenced block ``console`` holds commands after ``$`` and what they print; ``...`` stands for anything, within a line or
for whole lines. A block ``python`` with ``>>>`` is a doctest. The blocks of a page run in their order, in a folder that
holds a copy of examples/. ``PITBOSS_DOCS=1`` writes what the commands print now, except where there is a ``...``.
A block that no test can run says so: ``<!-- not run: why -->`` on the line above it.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_cli import Ran

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
BLOCK = re.compile(r"^(?P<not_run><!-- not run: .+ -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\((?!https?://)([^)#]+)")
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


def blocks(page: Path, kind: str) -> Iterator[str]:
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if found["kind"] == kind and not found["not_run"]:
            yield found["text"]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what it prints."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, printed = part.partition("\n")
        yield command, _trimmed(printed)


def printed_by(command: str) -> str:
    """What a command prints: those of pitboss in this process, others in a shell."""
    if not command.startswith("pitboss "):
        return _trimmed(subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout)
    ran = Ran(*shlex.split(command)[1:])
    return _trimmed(ran.out + ran.err)


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def agrees(shown: str, printed: str) -> bool:
    lines = [
        ".*" if line.strip() == "..." else ".*".join(map(re.escape, line.split("..."))) for line in shown.split("\n")
    ]
    pattern = "\n".join(lines).replace("\n.*\n", "(?:\n.*)*\n")
    pattern = re.sub(r"\n\.\*$", r"(?:\n.*)*", re.sub(r"^\.\*\n", r"(?:.*\n)*", pattern))
    return re.fullmatch(pattern, printed) is not None


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("name", NAMES)
def test_transcripts(name: str) -> None:
    page = ROOT / name
    wrong, text = [], page.read_text(encoding="utf-8")
    for block in blocks(page, "console"):
        now = ""
        for command, shown in commands(block):
            printed = printed_by(command)
            if not agrees(shown, printed):
                wrong.append(f"$ {command}\n{printed}")
            after = shown if "..." in shown else printed
            now += f"$ {command}\n{after}\n" if after else f"$ {command}\n"
        text = text.replace(block, now)
    if os.environ.get("PITBOSS_DOCS") == "1":
        page.write_text(text, encoding="utf-8")
        pytest.skip(f"{name} was written again")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", NAMES)
def test_python(name: str) -> None:
    example = doctest.DocTestParser().get_doctest("\n".join(blocks(ROOT / name, "python")), {}, name, name, 0)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    page = ROOT / name
    assert [link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()] == []


def test_a_page_shows_no_transcript_that_is_not_run() -> None:
    """A command with what it prints stands in a block that the tests above know."""
    for page in PAGES:
        for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
            assert found["kind"] == "console" or not re.search(r"^\$ ", found["text"], re.M), (page.name, found["text"])


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb", "a\nb", True),
        ("a\nb", "a\nc", False),
        ("a\n...\nd", "a\nb\nc\nd", True),
        ("a\n...\nd", "a\nd", True),
        ("...\nd", "a\nd", True),
        ("a\n...", "a\nb\nc", True),
        ("a\n...", "b", False),
        ("head ...\n(x)", "head 0f\n(x)", True),
        ("a.c", "abc", False),
    ],
)
def test_dots_stand_for_anything(shown: str, printed: str, same: bool) -> None:
    assert agrees(shown, printed) is same
