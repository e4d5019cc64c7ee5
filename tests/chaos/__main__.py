"""`make chaos`: services and database are killed, paused and cut off, and whatever was acknowledged is counted."""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Mapping

from tests.chaos.campaign import Campaign, Outcome, Plan
from tests.chaos.place import opened


def main() -> int:
    parser = argparse.ArgumentParser(prog="chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=Plan.kills, help="end after so many (%(default)s)")
    parser.add_argument("--minutes", type=float, default=Plan.minutes, help="end after so long (%(default)s)")
    parser.add_argument(
        "--seed", type=int, default=Plan.seed, help="what goes wrong, and what is written (%(default)s)"
    )
    parser.add_argument("--writers", type=int, default=Plan.writers, help="so many at once (%(default)s)")
    parser.add_argument(
        "--calm-every", type=int, default=Plan.calm_every, help="kills between two counts (%(default)s)"
    )
    options = parser.parse_args()
    outcome = asyncio.run(_held(Plan(**vars(options))))
    _show(outcome)
    return 1 if outcome.ledger.violations else 0


async def _held(plan: Plan) -> Outcome:
    async with opened(_tell) as place:
        return await Campaign(place, plan, _tell).run()


def _show(outcome: Outcome) -> None:
    ledger = outcome.ledger
    acknowledged = sum(1 for _ in ledger.acknowledged())
    tries = sum(one.tries for one in ledger.deeds)
    minutes = f"{outcome.seconds / 60:.1f} minutes"
    print(f"seed {outcome.plan.seed}: {outcome.kills} kills in {minutes}, counted {outcome.calm} times")
    print(f"what went wrong: {_counted(outcome.faults.done)}")
    print(f"{outcome.stories} stories, {acknowledged} calls acknowledged in {tries} tries, {outcome.events} events")
    print(f"without an answer: {_counted(ledger.unanswered)}")
    print(f"given up and settled later: {outcome.settled_later}, of which {outcome.was_carried_out} were carried out")
    for one in outcome.followers:
        print(f"subscriber {one.name}: {len(one.seen)} events, came back {one.came_back} times")
    for text in ledger.violations:
        print(f"VIOLATED: {text}")
    print(f"{len(ledger.violations)} violations" if ledger.violations else "Nothing was lost, doubled or left half.")


def _counted(found: Mapping[str, int]) -> str:
    return ", ".join(f"{times} times {what}" for what, times in Counter(found).most_common()) or "nothing"


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
