"""The sentence splitter: a bar in the table below marks where a sentence must end, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import processor_time
from vivavoce.papers.sentences import LONGEST_SENTENCE, split

TABLE = """
We trained a network. |It converged.
As shown by Okoro et al. (2016) the error fell. |We agree.
As shown by Okoro et al. 2016 the error fell.
This follows Okoro et al. |The error fell.
This follows Okoro et al. |However, the error fell.
A survey by Okoro et al. |A total of nine sites was used.
See Fig. 3 for details. |The rest is below.
See Figs. 3 and 4 (Tab. 2). |All else is below.
The loss is given in Eq. (3) and Eqs. 4 and 5. |It is convex.
The loss is given in Eq. 3. |It is convex.
We follow Ref. [4] and Sect. 2.1 of that work.
Sample No. 5 and vol. 3, pp. 12 to 15, were lost.
It took ca. 30 min. |Samples were dried.
Models (cf. Lindqvist 2019) differ, e.g. Random Forest vs. Boosting, i.e. Trees.
Plants, viz. Oaks, covered approx. 40 plots resp. 12 sites.
The plots were mapped by Dr. Ines Vogt and Prof. Amara Diallo. |Both agreed.
We used cameras from Optika Inc. (Dayton, USA).
We used cameras from Optika Inc. |The lenses were new.
We used a server of Blue Co. Ltd. in Turin.
Nests of Vespa spp. were counted. |None was empty.
We counted Vespa spp. |Nests were empty.
One Apis sp. was found at St. Gallen.
The var. alba and subsp. minor were merged.
The U.S. Forest Service counted trees in the U.K. |The data are open.
Recorders ran from 6 a.m. to 8 p.m. |Batteries were changed weekly.
Images were labelled by J. Smith and K. T. Mora. |They agreed.
A.F. manually annotated the images. |P.-L.G. checked them.
Cultures of E. coli and Ae. aegypti were grown. |E. coli grew best.
We planted Picea abies (L.) Karst., representing conifers.
We planted Picea abies (L.) Karst. and Fagus sylvatica L. in rows.
The rate was 0.001. |Files were saved in .wav format.
The learning rate was .01 and the decay 0.9. |Training took 3 h.
We used python v. 3.6 and R v.2.7.12 for it. |All code is open.
Code is at https://example.org/a.b?c=d. |Data are at doi:10.5281/zenodo.123. |Both are free.
Classes were cats, dogs, ... and birds. |All were balanced.
Classes were cats, dogs … and birds.
And so on... |Then it ended.
This was shown before (Okoro, 2016). |Next, we test it.
This was shown before [3]. |Next, we test it.
Whales regulate populations9. |In late 2017 they left.
Whales regulate value3 . |More are needed.
This is vital for conservation11.  |The rest is not.
Whales matter.9,10 |In late 2017 they left.
Whales matter.[3] |In late 2017 they left.
Whales matter. [3, 4] |In late 2017 they left.
The trap of exp.1 (on the left) and exp.2 failed.
Whales matter.¹² |In late 2017 they left.
He called it “deep learning.” |We call it a network.
(This holds for all sites.) |We tested it.
Does it work? |It does! |We show how.
Is it deep? |(ii) Is it wide?
The model was trained. |12 images were left out.
The model was trained in 2017. |12 images were left out.
The scikit-learn package was used. |k-fold cross-validation followed.
Records came from portals. |iNaturalist gave most.
We used R packages. |ggplot2 drew the maps.
Samples were frozen. |mRNA was extracted.
The value of approx. k-fold was set.
They were tested. |(See the appendix.) |We moved on.
They were tested. |“Good” was the label.
Highlights are these. |• It is fast. |• It is small.
We mapped reefs, seagrass, etc. |The maps are open.
We mapped reefs, seagrass, etc. in one day.
1. Record audio: place the box and wait. |2. Cut the file.
2.1. Data collection
2.1. Data were collected. |They are open.
The steps are: 1. Record audio; 2. Cut the file; 3. Train.
Figure 3. Map of the sites. |Dots are traps.
Fig. 3. Map of the sites. |Dots are traps.
Table S2. Sampling sites.
Supplementary Fig. 1. Spectra of all calls. |Red is male.
Aims were (i) to count; (ii) to map; and (iii) to sort. |All were met.
One aim was clear: We count; They map.
Analyses were done in R. |Models were fitted with lme4.
Plants of group A. |Samples of group B.
The trap stood at a height of 1 m. |Files were saved.
The best result came with a small k. |Grid search was used.
The number is denoted by λ. |Notably, it is small.
The plots were sampled in Jan. 2020 and Sept. 2021.
It was published in J. Exp. Biol. and Proc. Natl. Acad. Sci. in 2010.
Funding came under grant agreement No. 810729. |We are thankful.
The distance was 5 km. |Trees were 20 m high.
Training used the data.|The test set was kept.
We used numpy.|The rest was plain.
Call np.Max or ee.Image on it.
The pH was 7.4. |It fell to 6.
The p-value was below 0.05. |Thus we reject.
The accuracy was 95%. |The recall was 90 %. |Both are good.
We set α = 0. 5 in all runs.
The Ph.D. student and M. Sc. student agreed.
Mr. and Mrs. Vogt lent us their garden.
See Appendix A. |We list all sites.
The set holds 3,000 images of 1.5 MB. |Most are sharp.
Weights w.r.t. the loss, s.t. Constraint 3 holds.
It rained (ca. 3 mm). |We waited.
“Why?” they asked. |We did not know.
The GPU was an RTX 2080 Ti. |It had 11 GB.
Sites were sampled by L. Gomez et al., Lund Univ. |We thank them.
Then came the end.
One species ( Ulmus spp. , and Pinus spp. ) was cut.
Distances are in Å. |They are small.
The method is “ours. ” |Metrics are theirs.
Überlingen was cold. |Özgür stayed.
"""

CASES = TABLE.strip().splitlines()


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize("line", CASES)
def test_table(line: str) -> None:
    assert sentences(line.replace("|", "")) == [part.strip() for part in line.split("|")]


def test_table_is_large() -> None:
    assert len(CASES) == len(set(CASES)) > 80


def test_spans_are_exact() -> None:
    assert split("  One ran.  Two hid (Fig. 2).\nThree slept. ") == [(2, 10), (12, 29), (30, 42)]


@pytest.mark.parametrize("text", ["", "   ", "\n\t\u00a0"])
def test_nothing(text: str) -> None:
    assert split(text) == []


def test_other_white_space_counts() -> None:
    text = "It ran.\u00a0The rest hid.\tWe left.\nThey stayed."
    assert sentences(text) == ["It ran.", "The rest hid.", "We left.", "They stayed."]


def test_a_very_long_sentence_breaks_at_semicolons() -> None:
    text = ("the plot was mown and the hay was weighed" * 4 + "; ") * 30 + "the end."
    found = split(text)
    assert len(found) > 1
    assert all(end - start <= LONGEST_SENTENCE for start, end in found)
    assert all(text[end - 1] == ";" for _, end in found[:-1])


def test_a_long_sentence_without_semicolons_stays_whole() -> None:
    text = "word " * 400 + "end."
    assert split(text) == [(0, len(text))]


def test_semicolons_of_ordinary_sentences_stay() -> None:
    text = "One; " * 100 + "end."
    assert len(text) < LONGEST_SENTENCE
    assert split(text) == [(0, len(text))]


PIECES = """
et al.|Fig.|(|)|.|...|…|?|!| |a|B|7|0.5|“|”|[3]|•|J.|; |: |The |no. |étude|，|²|-|e.g. |\u00a0|.9 |.[3] |k-f
""".strip().split("|")


@given(st.one_of(st.text(), st.lists(st.sampled_from([*PIECES, "\n"]), max_size=60).map("".join)))
def test_spans_cover_everything_once(text: str) -> None:
    reached = 0
    for start, end in split(text):
        assert start < end
        assert not text[reached:start].strip()
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        reached = end
    assert not text[reached:].strip()


# No abbreviation in it can be spelled with these letters.
WORDS = st.lists(st.text("jkqwyzu", min_size=3, max_size=9), min_size=2, max_size=8)


@given(st.lists(WORDS, min_size=1, max_size=6), st.sampled_from([". ", "? ", ".  ", "! "]))
def test_plain_sentences_come_back(written: list[list[str]], ending: str) -> None:
    whole = [" ".join(words).capitalize() + ending.strip() for words in written]
    assert sentences(ending[1:].join(whole)) == whole


HOSTILE = [
    "." * 100_000,
    "a." * 50_000,
    ". " * 50_000,
    "1. " * 33_000,
    ".)" * 50_000,
    ". [" + "1," * 50_000,
    ". [1 " * 20_000,
    "A." * 50_000 + " b",
    "…!?" * 33_000,
    "; " * 50_000,
    "word ... " * 11_000,
    ". " + "." * 99_000 + "a",
    ". " + "a." * 50_000,
    "A.-" * 33_000 + ". The",
    ("a" * 200 + ".9,9") * 500,
    "." + "9,9-" * 30_000,
    ". " + "•" * 100_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_hostile_text_takes_linear_time(text: str) -> None:
    with processor_time(at_most=10):
        split(text)


def test_speed() -> None:
    text = " ".join(line.replace("|", "") for line in CASES) * 20
    # Far denser in full stops than prose is; about a microsecond for each character is what it takes.
    with processor_time(at_most=1e-5 * len(text)):
        split(text)
