"""Replies that say nothing, and replies that say something though they look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import processor_time
from vivavoce.evidence.replies import LONGEST_REPLY, reported, says_nothing

NOTHING = """
I don't know.
i dont know
I don’t know
I do not know the answer to this question.
Don't know
Not mentioned
Not mentioned.
not mentioned in the paper
Not reported
Not explicitly stated.
Not specified in the text
Not provided.
Not given
Not described
Not available
Not applicable
Not clear
Not found.
Not disclosed by the authors
N/A
n/a.
NA
N.A.
n.r.
None
none.
None mentioned
None reported in the paper.
None of these is mentioned.
Nothing
Nothing is said about it.
Nothing about hardware is mentioned.
No
No.
-
—
?
...
Unknown
Unclear.
Unspecified
(not reported)
[none]
No information
No information is given on the hardware.
No information available.
There is no information about this in the paper.
There is no mention of a random seed.
There isn't any explicit mention of dropout in the text.
There are no details on how the data was annotated.
No details.
No mention of early stopping
No code repository is mentioned.
No code link given
No optimiser was specified.
No hardware details are provided.
The paper does not say.
The paper doesn't mention the batch size.
The context does not specify which GPU was used.
The provided context does not explicitly mention the optimiser.
The given text does not contain information on this.
The authors do not report the learning rate.
The authors did not disclose where the code is.
The study does not provide details about the split.
This information is not provided in the text.
This is not stated.
It is not mentioned.
It is not clear from the text which framework was used.
It is unclear.
It's unclear whether a seed was set.
The hardware is not specified.
The learning rate was not reported.
The optimiser used is not explicitly mentioned in the given context.
The question cannot be answered from the text.
This cannot be determined from the given passages.
I cannot answer this question based on the context.
I can't find this in the paper.
I was unable to find any mention of the hardware.
I could not find the answer.
I'm not sure.
Sorry, I don't know.
I'm sorry, but the provided context does not include the metrics.
Unfortunately, the provided context does not mention the hardware.
Unfortunately, there is not enough information to answer.
There is insufficient information in the context to say.
Insufficient information
The passage lacks information on training.
Without more context, it is impossible to determine the data split.
Based on the provided context, there is no information about the deployment.
Based on the given information, it is not possible to say which framework was used.
According to the text, the seed is not specified.
**Answer:** The text does not mention it.
The provided text focuses on bird songs and doesn't go into the training hardware.
The provided text describes a survey of bees. It does not mention how a model was deployed.
The paper fails to mention which software was used.
Nowhere in the paper is a seed mentioned.
The paper discusses the mapping of corals, but does not state the optimiser.
While the paper describes the network, it does not report the hardware.
No augmentation was mentioned.
No link to the data could be found, and the paper does not say where it is.
""".strip().splitlines()

LONG_NOTHING = [
    "Unfortunately, the provided context does not mention the optimiser. However, common choices are "
    "Adam and SGD, "
    "and these could have been used here.",
    "The text does not say which hardware was used.\n\nIn general, networks of this kind are trained "
    "on:\n\n"
    "* graphics cards\n* cloud machines\n\nI would need the whole paper to tell.",
    "The paper is about bats. They were recorded at night with four microphones. Therefore, I don't know "
    "which "
    "optimiser was used.",
    "I don't know.\n\nThe passages are about hives, honey and the weather in June.",
    "The provided text focuses on the anatomy of leaves.  \n\nTherefore, I cannot answer your query "
    "based on the "
    "given context.",
    "Based on the provided context, there is no explicit information about a seed (e.g. in a table). The "
    "methods are "
    "described in section 2. Nothing else is given.",
]

SOMETHING = """
No data augmentation was applied.
No augmentation was used, to keep the pictures as they are.
No preprocessing was done.
No regularisation was needed.
No hyperparameters were tuned; the defaults were kept.
Not only flips but also rotations were applied.
Not only was the network trained on a GPU, it was also deployed on one.
Adam
Yes
Yes.
PyTorch 1.12
0.001
42
An NVIDIA GTX 1080 graphics card.
Adam with a learning rate of 0.001.
The code is at https://example.org/code.
The code is available on request.
The data cannot be shared for reasons of privacy.
Early stopping was not used.
The model does not use dropout.
The network did not overfit, thanks to dropout of 0.5.
The dataset does not include winter months.
The images were not resized.
The weights were frozen and not trained.
Unknown species were put into a class of their own.
Unlabelled pictures were left out.
Missing values were filled with the mean.
None of the pictures was used twice; the split is by site.
Nothing but the last layer was trained, for ten epochs.
Pictures in which the species was unclear to both annotators were removed.
A seed of 7 was set for all random numbers.
The seed is not given for the first run, but 42 was used for all others.
Although the exact model is not named, training ran on a graphics card with 8 GB.
While the text does not name the framework, it says that Keras was used for all models.
According to the paper, the model was trained for 40 epochs.
Based on the context, the data was split 70/20/10.
The authors report accuracy, precision and recall.
The paper describes a convolutional network with four layers.
They may be downloaded from Zenodo.
The purpose is to detect animals that are not known to the system.
To avoid information leaks, sites were split and not single pictures.
The model was trained until the validation loss did not decrease for five epochs.
It is hard to annotate bats, so two people did it independently.
No. 3 of the supplement lists the learning rates.
Natrium chloride
NAS (neural architecture search) was used.
A nil model
""".strip().splitlines()


@pytest.mark.parametrize("text", [*NOTHING, *LONG_NOTHING])
def test_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize("text", SOMETHING)
def test_says_something(text: str) -> None:
    assert not says_nothing(text)


def test_there_are_enough_phrases() -> None:
    assert len({*NOTHING, *LONG_NOTHING, *SOMETHING}) >= 150


@pytest.mark.parametrize("text", NOTHING)
def test_case_and_space_do_not_matter(text: str) -> None:
    assert says_nothing(f"\n  {text.upper()}  ")
    assert says_nothing(text.replace(" ", "  "))


@pytest.mark.parametrize(
    ("said", "text", "comes_to"),
    [
        (True, "Adam", True),
        (True, "", True),
        (True, "I don't know.", False),
        (True, "Not mentioned in the context.", False),
        (False, "Adam", False),
        (False, "", False),
        (None, "Adam", True),
        (None, "N/A", False),
        (None, "", None),
        (None, " \n", None),
    ],
)
def test_what_a_reply_comes_to(said: bool | None, text: str, comes_to: bool | None) -> None:
    assert reported(said, text) is comes_to


@given(st.text(max_size=300))
def test_any_text_is_one_or_the_other(text: str) -> None:
    assert says_nothing(text) in (True, False)


def test_hostile_text_takes_no_time() -> None:
    for piece in ("no ", "the context ", "((", "based on ", "while , ", "not ", "is not ", "a.", ", it"):
        with processor_time(at_most=10):
            says_nothing(piece * (2 * LONGEST_REPLY // len(piece)))
