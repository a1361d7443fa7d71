"""Results for machines that run tests: JUnit XML, and annotations of GitHub."""

from posed.ci.case import NOT_CHECKED, Case
from posed.ci.github import github_lines
from posed.ci.junit import write_junit

__all__ = ["NOT_CHECKED", "Case", "github_lines", "write_junit"]
