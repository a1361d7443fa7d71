"""The report: one HTML file that shows verdicts to people, without a network."""

from posed.verify.report.report import Report, Shown, shown

__all__ = ["Report", "Shown", "shown"]
