"""How much one file may cost before it is given up."""

from dataclasses import dataclass

from vivavoce.processes.limits import ProcessLimits


@dataclass(frozen=True, slots=True)
class Limits(ProcessLimits):
    """What reading one file may take: `seconds` and `memory_mb` of the process that reads it, and more.
    A file beyond a limit gives a `PaperError` that names the limit."""

    pages: int = 2000
    """Pages that are read."""
    file_mb: int = 500
    """Size of the file on disk."""
    ocr_seconds_per_page: float = 30.0
    """Wall time for each page that is read by OCR, on top of `seconds`; two busy cores took 6 to 14."""
    ocr_memory_mb: int = 4096
    """Address space for a file that is read by OCR, unless `memory_mb` is more."""
    ocr_pages: int = 100
    """Pages that are read by OCR; a file with more of them is left as it is."""
