"""What an examination of an environment finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["Finding", "Severity", "ValidationReport"]


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """Training on it would be wrong or would crash."""
    WARNING = "warning"
    """It works, and is probably not what is meant."""
    NOTE = "note"
    """Good to know."""


@dataclass(frozen=True)
class Finding:
    """One thing found.

    Attributes:
        severity: how bad it is.
        check: the word of the check that found it.
        text: what was found, what was expected.
    """

    severity: Severity
    check: str
    text: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.check}: {self.text}"


@dataclass
class ValidationReport:
    """All findings about an environment, and how much of it was seen; true if none of them is an error."""

    environment: str
    findings: list[Finding] = field(default_factory=list[Finding])
    steps: int = 0
    episodes: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings and notes do not count."""
        return not self.errors

    def __bool__(self) -> bool:
        return self.ok

    @property
    def errors(self) -> list[Finding]:
        """The findings that are errors."""
        return [each for each in self.findings if each.severity is Severity.ERROR]

    def add(self, severity: Severity, check: str, text: str) -> None:
        """Add a finding; a check tells the same thing only once."""
        finding = Finding(severity, check, text)
        if finding not in self.findings:
            self.findings.append(finding)

    def __str__(self) -> str:
        state = "fit for training" if self.ok else f"{len(self.errors)} errors"
        head = f"{self.environment}: {state} after {self.steps} steps in {self.episodes} episodes"
        return "\n".join([head, *(f"  {each}" for each in self.findings)])
