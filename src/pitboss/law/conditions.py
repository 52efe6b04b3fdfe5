"""Compares with the text what has no figure: who acts, on what condition, with what remedy, and what a wager needs.

Each value is derived from the words of the paragraph, of those that introduce it and of the heading of its section, and
compared with what is carried. Where the printed words give nothing, there is nothing to compare.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from pitboss.findings import Finding, refusal
from pitboss.law.cite import Cite
from pitboss.law.model import Chapter, ChoiceSpec, Dated, Figure, LayoutItem, Procedure, Wager
from pitboss.law.phrases import ACTORS, ACTS, ASIDE, CHOICES, LAYOUT, REMEDIES, UNLESS, WHEN
from pitboss.law.texts import heading_of, own_text, paragraph_text, plain


def check_conditions(loaded: Chapter, text: str) -> Iterator[Finding]:
    """What the entries of a chapter say otherwise than its text."""
    for act in loaded.procedures:
        if not act.source:
            yield from check_act(loaded, act, text)
    for wager in loaded.wagers:
        if not wager.source:
            yield from check_wager(loaded, wager, text)
    for item in loaded.layout:
        if not item.source:
            yield from check_item(loaded, item, text)
    limits: tuple[Figure | ChoiceSpec, ...] = (*loaded.figures, *loaded.choices)
    for limit in limits:
        if not limit.source and (limit.caps or limit.name == "payout_limit"):
            yield from check_limit(loaded, limit, text)


def check_complete(loaded: Chapter, text: str, known: Iterable[Cite]) -> Iterator[Finding]:
    """Acts of a section, areas and choices of the chapter of which the text speaks, and which no entry carries."""
    carried: dict[str, set[object]] = {
        "act": {(act.cite.section_cite, act.act) for act in loaded.procedures},
        "area": {(item.cite, item.item) for item in loaded.layout},
        "choice": {choice.name for choice in loaded.choices},
    }
    for cite in known:
        own = own_words(text, cite)
        spoken: list[tuple[str, str, object]] = [
            ("act", act, (cite.section_cite, act)) for act in _spoken_of("act", own)
        ]
        spoken += [("area", item, (cite, item)) for item in _areas(loaded, cite, own)]
        spoken += [("choice", name, name) for name in _spoken_of("choice", own)]
        for kind, name, key in spoken:
            if key not in carried[kind]:
                printed = f"the {kind} {name.replace('_', ' ').replace('-', ' ')}"
                sentence = f"The text of {cite} has {printed}, which no entry carries."
                yield refusal("text-not-carried", printed, "nothing", sentence, cite=cite)


@cache
def _spoken_of(kind: str, own: str) -> tuple[str, ...]:
    """The acts, areas or choices whose words stand in a paragraph."""
    known = {"act": ACTS, "area": LAYOUT, "choice": CHOICES}[kind]
    return tuple(name for name, words in known.items() if re.search(words, own, re.I))


def _areas(loaded: Chapter, cite: Cite, own: str) -> list[str]:
    """The areas and inscriptions that a paragraph of the layout demands."""
    if cite.section != 2:
        return []
    items = [*_spoken_of("area", own)]
    listed = re.search(
        r"areas? desig?ned for the placement of (?:the )?(.*?) Wagers?\b|^$", own.replace("nated", "ned")
    )
    items += _wagers(loaded, listed[1] or "") if listed else []
    items += _offered(loaded, own) if "each of the wagers" in own else ()
    # "the Six Card Bonus card" stands for several in some chapters
    several = {item.item.removesuffix("s") for item in loaded.layout if item.cite == cite}
    return [item for item in items if item.removesuffix("s") not in several]


def _differs(entry: Dated, what: str, carried: object, printed: object) -> Iterator[Finding]:
    if carried != printed:
        shown, there = (_shown(value) for value in (carried, printed))
        sentence = f"{entry.key}, {what}: carried as {shown}, the text has {there}."
        yield refusal("text-differs", there, shown, sentence, entry.key, cite=entry.cite)


def _shown(value: object) -> str:
    if isinstance(value, (tuple, set, frozenset)):
        return ", ".join(map(str, sorted(value) if isinstance(value, (set, frozenset)) else value)) or "none"
    return str(value) or "none"


@cache
def own_words(text: str, cite: Cite) -> str:
    """The words of a paragraph, without its mark and what the code prints behind the last one of a section."""
    passage = plain(own_text(text, cite)).removeprefix("- ")
    mark = re.escape(f"({cite.steps[-1]}) ") if cite.steps else ""
    return re.split(r" (?:Authority The|Source The|Cross References) ", re.sub(rf"^{mark}", "", passage))[0]


# Acts


def check_act(loaded: Chapter, act: Procedure, text: str) -> Iterator[Finding]:
    passages = _passages(text, act.cite, act.act)
    actor = next((actor for actor, words in ACTORS.items() if _in(words, passages[:2])), "dealer")
    yield from _differs(act, "actor", act.actor, actor)
    when = next((when for passage in passages for when, words in WHEN.items() if _in(words, [passage])), "")
    yield from _differs(act, "when", act.when, when)
    yield from _differs(act, "unless", act.unless, _exception(loaded, act, text))
    yield from _differs(act, "remedy", act.remedy, tuple(_remedies(loaded, own_words(text, act.cite))))


def _in(words: str, passages: Iterable[str]) -> bool:
    return any(re.search(words, passage) for passage in passages)


@cache
def _passages(text: str, cite: Cite, act: str) -> list[str]:
    """The words of an act, nearest first: its own, its sentence, what introduces it, the section's heading."""
    own = own_words(text, cite)
    found = re.search(ACTS.get(act, "(?!)"), own, re.I)
    start, end = found.span() if found else (0, len(own))
    begin = max((m.end() for m in re.finditer(r"[.:] (?=[A-Z])", own[:start])), default=0)
    close = re.search(r"[.:](?: |$)", own[max(end - 1, 0) :])
    sentence = own[begin : max(end - 1, 0) + close.end() if close else len(own)]
    leads = [own_words(text, above) for above in cite.ancestors() if above != cite and above.steps]
    introductions = [passage for passage in leads if passage.endswith(":")]
    return [own[start:end], sentence, own[:begin], *introductions, f"§ {heading_of(text, cite)}"]


def _exception(loaded: Chapter, act: Procedure, text: str) -> str:
    """When the act is not done, by its own words or by a subsection that sets it aside."""
    own, step = own_words(text, act.cite), act.cite.steps[0] if act.cite.steps else ""
    if act.act == "no-wager-changed-after-no-more-bets":
        named = re.search(r"All wagers, except the ([A-Z]\w+) Wager", own)
        later = [wager for wager in loaded.wagers if wager.role == "later"]
        excepted = [w.name for w in later if not named or w.title == f"{named[1]} Wager"]
        return ", ".join(excepted) if named or "Except as provided in" in own else ""
    for words, first, last in _set_aside(text, act.cite.section_cite):
        if first <= step <= last:
            return next((unless for unless, known in ASIDE.items() if re.search(known, words)), words)
    words = f"{_passages(text, act.cite, act.act)[0]} | {own}"
    return next((unless for unless, known in UNLESS.items() if re.search(known, words)), "")


@cache
def _set_aside(text: str, section: Cite) -> list[tuple[str, str, str]]:
    """On what condition which subsections do not apply: the words, the first and the last of them."""
    passage = plain(paragraph_text(text, section))
    return re.findall(r"If ((?:(?! If ).)*?), subsections \((\w)\)—\((\w)\) do not apply", passage)


def _remedies(loaded: Chapter, own: str) -> Iterator[str]:
    """What is done about a fault, in the order of the text; behind a colon what is done only in that case."""
    first, several, rest = own.partition("If more than one card is found")
    yield from _named(loaded, first)
    if several:
        yield "if-several: " + ", ".join(_named(loaded, rest))


def _named(loaded: Chapter, words: str) -> list[str]:
    found: dict[str, int] = {}
    for name, known in REMEDIES.items():
        for match in re.finditer(known, words):
            wagers = f"{name} {', '.join(_wagers(loaded, match[1]))}" if name.endswith(":") else name
            found.setdefault(wagers, match.start())
    return sorted(found, key=found.__getitem__)


# Wagers


def _wagers(loaded: Chapter, words: str) -> list[str]:
    """The wagers of a list: ``Ante, Raise and Odds``, ``an Ante Wager or an Aces Up Wager``."""
    titles = [re.sub(r"^(?:the |an? )|(?: Wagers?)$", "", part) for part in re.split(r",? (?:and|or) |, ", words)]
    by_title: dict[str, list[str]] = {}
    for wager in loaded.wagers:
        by_title.setdefault(_name(wager).lower(), []).append(wager.name)
    return [name for title in titles for name in by_title.get(title.strip().lower(), [])]


def _name(wager: Wager) -> str:
    """What a wager is called in a list: ``Ante``, ``Super``."""
    return re.sub(r" Wager(?: \d)?$", "", wager.title.partition(" on ")[0])


_AFTER = (
    r"After placing (.*?)(?:, or both)?, a player (?:may|making)",
    r"each player who placed (.*?) (?:the option|if he wishes)",
    r"^Has placed (.*?) but does not",
    r"by placing (?:both )?(.*? Wagers?)(?: in equal amounts)?,? then an? (?:[A-Z]\w* )+Wager",
    r"If a player folds, (?:the )?(.*?) shall be immediately collected",
    r"In addition to the (.*? Wagers), a player shall place",
)
_OPTIONAL = r"offer to each player|If (?:a|the) certificate holder offers"


def check_wager(loaded: Chapter, wager: Wager, text: str) -> Iterator[Finding]:
    own = own_words(text, wager.cite)
    needed = _needed(loaded, wager, own)
    if needed is not None:
        every, either = needed
        yield from _differs(wager, "needs_any", set(wager.needs_any), either)
        yield from _differs(wager, "needs_all", _closure(loaded, wager.needs_all), _closure(loaded, every))
    else:
        later = {each.name for each in loaded.wagers if each.role == wager.role == "later"}
        yield from _differs(wager, "needs", {*wager.needs_all, *wager.needs_any} - _made_by_all(loaded) - later, set())
    decides = re.search(
        rf"(?:ask each player|Each player shall then either) .*?(?:make|place) an? {_name(wager)} Wager", own
    )
    if decides or re.search(_OPTIONAL + r"|A player (?:may|shall) compete|shall place", own):
        offer = "choice" if re.search(_OPTIONAL, own) else "always"
        yield from _differs(wager, "offer", wager.offer, offer)
        yield from _differs(wager, "role", wager.role, "later" if decides else _role(wager, own))
    elif wager.role != "side":
        yield from _differs(wager, "offer", wager.offer, "always")
    if wager.role == "unit" and "A player may compete" in own:
        listed = plain(paragraph_text(text, wager.cite.parent or wager.cite))
        alone = re.search(r"may compete solely against a posted pay\w+ by placing", listed) is not None
        yield from _differs(wager, "optional", wager.optional, alone)
    elif wager.role == "unit" and re.search(r"A player shall compete|has placed an Ante Wager", own):
        yield from _differs(wager, "optional", wager.optional, False)
    elif wager.role == "unit":
        yield from _differs(wager, "optional", wager.optional, _stands_alone(loaded, wager))


def _needed(loaded: Chapter, wager: Wager, own: str) -> tuple[set[str], set[str]] | None:
    """All and any of the wagers that must be placed first; nothing where the words don't say."""
    required = {each.name for each in loaded.wagers if each.required}
    # 649a prints "Progressive Payout Wager" for what its definitions call the Three-Card one.
    if not re.search(rf"(?:{re.escape(_name(wager))}|{_name(wager).removeprefix('Three-Card ')})\b", own):
        return None
    for words in _AFTER:
        for found in re.finditer(words, own):
            names = {*_wagers(loaded, found[1])}
            if wager.name in names and not found[0].startswith("Has placed"):
                continue
            if " then " in found[0] and not re.search(rf"{_name(wager)} Wager$", found[0]):
                continue
            names = {
                each.name for each in loaded.wagers if each.name in names - {wager.name} and _is_earlier(each, wager)
            }
            if names:
                return (set(), names) if " or " in found[1] else (names, set())
            if any(note.cite == wager.cite for note in loaded.notes):
                return required, set()  # the text names a wager that the game does not have
    if "option to make an additional" in own and "After placing" not in own:
        return required, set()
    return None


def _made_by_all(loaded: Chapter) -> set[str]:
    """The wagers without which nobody plays: a paragraph need not say that they come first."""
    return {wager.name for wager in loaded.wagers if wager.role in ("unit", "required")}


def _stands_alone(loaded: Chapter, unit: Wager) -> bool:
    """Whether a wager can be made without the unit, so that the unit isn't for everybody."""
    sides = (wager for wager in loaded.wagers if wager.role == "side")
    return any(unit.name not in _closure(loaded, side.needs_all) and {*side.needs_any} != {unit.name} for side in sides)


def _is_earlier(one: Wager, other: Wager) -> bool:
    return one.role != "later" or other.role == "later"


def _closure(loaded: Chapter, names: Iterable[str]) -> set[str]:
    """The wagers with those that they need themselves; with the unit, those that all who play must make."""
    by_name = {wager.name: wager for wager in loaded.wagers}
    found = set(names)
    if any(by_name[name].role == "unit" for name in found):
        found |= _made_by_all(loaded)
    while more := {need for name in found for need in by_name[name].needs_all} - found:
        found |= more
    return found


def _role(wager: Wager, own: str) -> str:
    title = re.escape(_name(wager))
    if re.search(rf"then an? {title} Wager", own):
        return "later"
    if re.search(rf"(?:shall place an?|and) {title} Wagers?\b(?: in equal amounts| on the player's hand)", own):
        return "required"
    return "unit" if re.search(rf"compete .*placing (?:both )?(?:an? )?{title}\b.*then", own) else "side"


# Areas and limits


def check_item(loaded: Chapter, item: LayoutItem, text: str) -> Iterator[Finding]:
    own = own_words(text, item.cite)
    above = [own_words(text, cite) for cite in item.cite.ancestors() if cite != item.cite and len(cite.steps) > 1]
    above += [own_words(text, cite) for cite in item.cite.ancestors() if len(cite.steps) == 1 and cite != item.cite]
    passages = [own, *(passage for passage in above if passage.endswith(":"))]
    each = (
        r"for each player|each betting position|designated for (?:the )?(?:placement of )?[^.]{0,80}Wager|Options area"
    )
    yield from _differs(item, "per", item.per, "player" if _in(each, passages[:2]) else "table")
    conditions = next((names for passage in passages if (names := _offered(loaded, passage))), ())
    if item.when and not conditions:
        device = next((when for passage in passages for when, words in WHEN.items() if _in(words, [passage])), "")
        conditions = (device,) if device in {deal.device for deal in loaded.deals} else ()
    alone = conditions if item.item not in conditions else (item.item,)
    yield from _differs(item, "when", set(item.when), set(alone))


def _offered(loaded: Chapter, passage: str) -> tuple[str, ...]:
    """The wagers, or the option, without which something isn't required: by the paragraphs that allow them."""
    placed = re.search(r"^If (?:a|any) player has placed an? ((?:[A-Z][\w-]* )+)Wager", passage)
    if placed:
        return tuple(_wagers(loaded, placed[1].strip()))
    found = re.search(r"If (?:a|the) certificate holder (?:offers|establishes|is offering)(.*?)(?:\. |:|$)", passage)
    words = found[1] if found else ""
    limit = re.search(r"payout limit per (?:hand|player)[^.]*?(§ \d+a\.\d+\(\w\))", passage)
    if limit:
        cite = Cite.parse(limit[1].removeprefix("§ "))
        return tuple(choice.name for choice in loaded.choices if choice.kind and choice.cite == cite)
    cites = set()
    for first, more in re.findall(r"§ (\d+a\.\d+(?:\(\w+\))+)((?:(?:,| or|, or| and)+ \(\w+\))*)", words):
        cite = Cite.parse(first)
        cites |= {cite, *(Cite.parse(f"{cite.parent}({step})") for step in re.findall(r"\((\w+)\)", more))}
    by_cite = tuple(wager.name for wager in loaded.wagers if wager.cite in cites)
    titled = [w for w in loaded.wagers if w.offer == "choice" and w.title in words]
    return by_cite or tuple(wager.name for wager in titled)


def check_limit(loaded: Chapter, limit: Figure | ChoiceSpec, text: str) -> Iterator[Finding]:
    """What a payout limit adds up: the wagers that it names, and those paid under the subsections that it names."""
    own = own_words(text, limit.cite)
    found = re.search(r"(?:apply only to payouts of|on all winning) (.*?) Wagers(?:[^.]*? subsections? ([^.]*?))?(?: (?:and|but) (?:does|may) not apply|\.| for any)", own)  # fmt: skip # noqa: E501
    if found is None:
        yield from _differs(limit, "caps", set(limit.caps), set())
        return
    letters = _letters(found[2] or "")
    tables = {t.wager for t in loaded.paytables if t.cite.section == limit.cite.section and t.cite.steps[:1] in letters}
    paid = {w.name for w in loaded.wagers if w.paytable in tables and w.role != "side"}
    yield from _differs(limit, "caps", set(limit.caps), {*_wagers(loaded, found[1]), *paid})
    if isinstance(limit, ChoiceSpec):
        spared = re.search(r"not apply to payouts (?:for|of) (.*?) Wagers", own)
        names = {
            re.sub(r"\W", "_", part.strip().lower()) for part in re.split(r",| and | or ", spared[1] if spared else "")
        }
        known = (
            {t.wager for t in loaded.paytables} - {w.paytable for w in loaded.wagers} - {w.name for w in loaded.wagers}
        )
        yield from _differs(limit, "spares", set(limit.spares), names & known)


def _letters(words: str) -> set[tuple[str, ...]]:
    """The subsections of ``(a)—(c)`` or ``(a) and (b)``."""
    found = re.findall(r"\((\w)\)(?:—\((\w)\))?", words)
    return {(chr(code),) for first, last in found for code in range(ord(first), ord(last or first) + 1)}
