"""The documentation site builds, and no link of it leads nowhere; the page of the project stands alone."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from scripts.reference import gather

import pitboss

ROOT = Path(__file__).parents[1]


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    config = folder / "mkdocs.yml"
    config.write_text(settings.replace("build/docs", "docs").replace("build/site", "site"), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_site_builds_and_its_links_lead_somewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    gather(tmp_path / "docs")
    ran = built(tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    page = (tmp_path / "site" / "reference.html").read_text(encoding="utf-8")
    missing = [name for name in pitboss.__all__ if name not in ("NOTICE", "exact", "games", "hands", "law", "table")]
    assert [name for name in missing if f">{name}</h3>" not in page] == []
    broken = tmp_path / "docs" / "python.md"
    broken.write_text(broken.read_text(encoding="utf-8") + "\n[nowhere](nowhere.md)\n", encoding="utf-8")
    assert built(tmp_path).returncode != 0


NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def test_notebooks_run(path: Path) -> None:
    """Cell by cell in one session; what they claim they assert themselves."""
    book = json.loads(path.read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    session: dict[str, object] = {}
    for number, cell in enumerate(cells):
        exec(compile(cell, f"{path.name}, cell {number}", "exec"), session)
    assert len(cells) > 2
    assert not any(cell.get("outputs") for cell in book["cells"]), "kept without outputs, which would grow old"


def test_the_package_says_what_it_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == pitboss.__version__
    assert f"## {pitboss.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert all(">=" in each for each in project["dependencies"])
    readme = (ROOT / project["readme"]).read_text(encoding="utf-8")
    tried = re.findall(r"^\| (3\.\d+)\.\d+ \|", readme, re.M)
    assert tried == [each.split(" :: ")[-1] for each in project["classifiers"] if ":: 3." in each]
    assert "](" not in readme, "a page that is read outside the repository has nowhere to lead"


PROGRAMS = sorted(path for pattern in ("p[0-9]*.py", "every_*.py") for path in (ROOT / "scripts").glob(pattern))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_script_of_make_torture_finds_the_repository(path: Path) -> None:
    """They are run as files, so that Python looks beside them and not in the repository."""
    text = path.read_text(encoding="utf-8")
    first = re.search(r"^from (?:scripts|tests)\b", text, re.MULTILINE)
    if first:
        assert "sys.path.insert(0, str(Path(__file__).parents[1]))" in text[: first.start()]
