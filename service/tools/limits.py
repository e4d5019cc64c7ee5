"""What the settings say about the health of tools, and about asking again."""

from dataclasses import dataclass
from datetime import timedelta

from service.settings import Settings


@dataclass(frozen=True, slots=True)
class Limits:
    """`boundary_*`: what makes a cohesion warning. `utility_*`: what demotes."""

    window: timedelta = timedelta(days=14)
    outcomes: int = 200
    boundary_failures: int = 3
    boundary_axes: int = 2
    boundary_share: float = 0.2
    utility_count: int = 3
    utility_rate: float = 0.3
    correction_weight: int = 3
    referral_rate: float = 0.5
    unused: timedelta = timedelta(days=90)
    lapses: timedelta = timedelta(days=30)

    @classmethod
    def of(cls, settings: Settings) -> "Limits":
        return cls(
            window=timedelta(days=settings.tool_window_days),
            outcomes=settings.tool_window_outcomes,
            boundary_failures=settings.tool_boundary_failures,
            boundary_axes=settings.tool_boundary_axes,
            boundary_share=settings.tool_boundary_share,
            utility_count=settings.tool_low_utility,
            utility_rate=settings.tool_low_utility_rate,
            correction_weight=settings.tool_correction_weight,
            referral_rate=settings.tool_referral_rate,
            unused=timedelta(days=settings.tool_unused_days),
            lapses=timedelta(days=settings.tool_recommendation_days),
        )


@dataclass(frozen=True, slots=True)
class ReaskLimits:
    """When the same ask again is a correction. `phrases`: whether what was said counts too."""

    window: timedelta = timedelta(minutes=10)
    likeness: float = 0.8
    phrases: bool = False

    @classmethod
    def of(cls, settings: Settings) -> "ReaskLimits":
        return cls(
            window=timedelta(minutes=settings.reask_minutes),
            likeness=settings.reask_likeness,
            phrases=settings.reask_phrases,
        )
