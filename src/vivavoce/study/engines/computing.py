"""What a pair of processes does for one job: read the file, ask the readers that compute, find the boxes.

One process reads files and finds the boxes of quotes on their pages: whatever a file does to it, it can be
replaced at no cost. The other holds the readers' networks. Calls to language models are not made here.
"""

import os
import time
from dataclasses import replace

from vivavoce.errors import VivaError
from vivavoce.evidence.locating import with_boxes
from vivavoce.papers.entries import is_entry
from vivavoce.papers.limits import Limits
from vivavoce.papers.loading import load_with
from vivavoce.processes.isolation import Worker, allowed_in_replies
from vivavoce.records import Answer, Closest, Coded, Doubt, Evidence, Question, Receipt, Terms, Value
from vivavoce.study.engines import Job, Outcome, ReaderFailure

for _record in (Answer, Closest, Coded, Doubt, Evidence, Question, Receipt, Terms, Value):
    allowed_in_replies(_record)

ANSWER_TASK = "vivavoce.study.engines.worker_tasks:answer"
ANSWER_FROM_TASK = "vivavoce.study.engines.worker_tasks:answer_from"
ANSWER_LIMITS = Limits(seconds=1800.0, memory_mb=8192)
"""What answering one paper may take. One of ten pages takes about two seconds of one core."""
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Within a pair everything runs on one thread: several papers at a time scale better than several threads."""


class Pair:
    def __init__(self, files: Worker, answers: Worker) -> None:
        self.files = files
        self.answers = answers

    def compute(self, job: Job) -> Outcome:
        return compute(self, job)


def compute(pair: Pair, job: Job) -> Outcome:
    """Reads the paper, unless that was done before, and asks it what the job says."""
    paper = job.paper
    if paper is None:
        try:
            paper = load_with(pair.files, job.path, job.limits)
        except VivaError as error:
            return Outcome(job, reason=one_line(error, job))
    answers: list[Answer] = []
    asked: list[ReaderFailure] = []
    failed: list[ReaderFailure] = []
    seconds: dict[str, float] = {}
    states: dict[str, tuple[bytes, bytes]] = {}
    for reader, questions in job.asks:
        try:
            began = time.monotonic()
            if reader in job.keep or reader in job.states:
                kept, keep = job.states.get(reader, b""), reader in job.keep
                said, *new = pair.answers.call(
                    ANSWER_FROM_TASK, reader, paper, questions, kept, keep, limits=ANSWER_LIMITS
                )
                if new[0]:
                    states[reader] = (new[0], new[1])
            elif is_entry(paper) and reader in job.readers:  # no file, no network: nothing to isolate
                said = [
                    replace(answer, reader=reader) for answer in job.readers[reader].read(paper, questions)
                ]
            else:
                made = job.readers.get(reader)
                said = pair.answers.call(ANSWER_TASK, reader, paper, questions, made, limits=ANSWER_LIMITS)
            answers += said
            seconds[reader] = time.monotonic() - began
            asked.append(ReaderFailure(reader, questions, ""))
        except VivaError as error:  # the other readers are asked all the same
            failed.append(ReaderFailure(reader, questions, one_line(error, job)))
    try:
        if any(answer.evidence for answer in answers):
            answers = with_boxes(paper, answers, pair.files, {})
    except VivaError as error:
        answers = []
        failed += [one._replace(reason=one_line(error, job)) for one in asked]
    return Outcome(job, paper, tuple(answers), failed=tuple(failed), seconds=seconds, states=states)


def one_line(error: VivaError, job: Job) -> str:
    """The reason, without the file's name, which is shown beside it."""
    reason = " ".join(str(error).split())
    return reason.removeprefix(f"{job.path}: ").removeprefix(f"{os.path.abspath(job.path)}: ")
