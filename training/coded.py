"""The 16 open-science items as questions: each item in several wordings, and each of its codes as a statement
that the evidence makes or doesn't make. So choices are weighed by what they mean, in words."""

from typing import Any

ITEMS: dict[str, tuple[str, ...]] = {
    "data": (
        "Where can the data behind the findings be had?",
        "data availability",
        "How can readers get the data of the study?",
    ),
    "code": (
        "Where can the authors' own code be had?",
        "code availability",
        "Is the analysis code shared, and where?",
    ),
    "funding": ("Who funded the study?", "funding", "Which grants or agencies paid for the work?"),
    "interests": (
        "Do the authors declare competing interests?",
        "conflicts of interest",
        "Which financial or personal interests are declared?",
    ),
    "ethics": (
        "Which ethics body approved the study?",
        "ethics approval",
        "Was permission given by an ethics committee or review board?",
    ),
    "consent": (
        "Did the participants give their consent?",
        "informed consent",
        "Did people agree to take part, or was consent waived?",
    ),
    "registration": (
        "Was the study or its protocol registered beforehand?",
        "preregistration",
        "Is there a trial registration or a published protocol?",
    ),
    "sample_size": (
        "How was the sample size justified?",
        "sample size calculation",
        "Was a power analysis done before the study?",
    ),
    "blinding": (
        "Who was blinded to the groups or conditions?",
        "blinding",
        "Did those who measured or analysed know the allocation?",
    ),
    "randomisation": (
        "How were the units allocated to groups or conditions at random?",
        "randomisation",
        "Was the assignment to treatments random?",
    ),
    "exclusions": (
        "What was left out of the analysis, and on what grounds?",
        "exclusion criteria",
        "Which samples, animals or participants were excluded, and why?",
    ),
    "replication": (
        "How often was the experiment or measurement repeated independently?",
        "replicates",
        "How many independent repeats or runs were there?",
    ),
    "software": (
        "Which software was used for the analysis?",
        "analysis software and version",
        "With what programs were the statistics or data processing done?",
    ),
    "resources": (
        "How can the materials be identified?",
        "catalogue numbers and RRIDs",
        "Where do the reagents, strains or animals come from?",
    ),
    "limitations": (
        "Which limitations do the authors name?",
        "limitations",
        "What weaknesses of the study are admitted?",
    ),
    "contributions": ("Who did what?", "author contributions", "What did each author contribute?"),
}
CODES: dict[str, dict[str, tuple[str, ...]]] = {
    "data": {
        "repository": ("The data are in a public repository.", "Are the data deposited in a repository?"),
        "supplement": ("The data are in the paper and its supplementary files.",),
        "request": ("The data are available from the authors on request.",),
        "restricted": ("Access to the data is restricted.",),
        "third_party": ("The data come from others and are available from them.",),
        "unavailable": ("The data are not available.",),
    },
    "code": {
        "repository": ("The code is in a public repository.", "Is the code on GitHub or in an archive?"),
        "supplement": ("The code is in the supplementary files.",),
        "request": ("The code is available from the authors on request.",),
        "unavailable": ("The code is not available.",),
    },
    "funding": {
        "funded": ("The study was funded by a grant or an agency.",),
        "none": ("The study received no funding.",),
    },
    "interests": {
        "none_declared": ("The authors declare that they have no competing interests.",),
        "some_declared": ("Some authors have competing interests.",),
    },
    "ethics": {
        "approved": ("An ethics committee approved the study.",),
        "not_needed": ("Ethics approval was not required.",),
    },
    "consent": {
        "obtained": ("Participants gave informed consent.",),
        "waived": ("Consent was waived.",),
    },
    "registration": {
        "registered": ("The study was registered beforehand.",),
        "not_registered": ("The study was not registered.",),
    },
    "sample_size": {
        "calculated": ("The sample size was calculated or justified.",),
        "not_calculated": ("No sample size calculation was done.",),
    },
    "blinding": {
        "yes": ("The investigators were blinded.",),
        "no": ("The study was not blinded.",),
    },
    "randomisation": {
        "yes": ("Subjects were allocated to groups at random.",),
        "no": ("Allocation was not random.",),
    },
    "exclusions": {
        "stated": ("Some data or participants were excluded.",),
        "none_excluded": ("No data or participants were excluded.",),
    },
    "software": {
        "with_version": ("The analysis software is named with its version.",),
        "without_version": ("The analysis software is named without a version.",),
    },
    "resources": {
        "identifiers": ("Materials have catalogue numbers, RRIDs or strain numbers.",),
        "sources_only": ("Materials are named with their source, without identifiers.",),
    },
}


def with_end_matter(raw: dict[str, Any]) -> dict[str, Any]:
    """The paper with the statements of its end matter as sentences."""
    more = list(raw["end_matter"])
    return {**raw, "sentences": [*raw["sentences"], *more], "kinds": [*raw["kinds"], *["prose"] * len(more)]}


def coded(
    raw: dict[str, Any],
) -> list[tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[str, ...]]]:
    """Wordings, evidence, near misses and values of each item, and of each code."""
    first = len(raw["sentences"])

    def numbers(some: list[int | str]) -> tuple[int, ...]:
        return tuple(n if isinstance(n, int) else first + int(n[1:]) for n in some)

    found = []
    for id, item in raw["items"].items():
        evidence, near = numbers(item.get("evidence") or []), numbers(item.get("near") or [])
        values = tuple(item.get("value") or ())
        found.append((ITEMS[id], evidence, near, values))
        for code, wordings in CODES.get(id, {}).items():
            if code == item["code"]:
                found.append((wordings, evidence, near, ()))
            else:
                found.append((wordings, (), tuple({*near, *evidence}), ()))
    return found
