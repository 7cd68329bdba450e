import { expect, it } from "vitest";
import { linesOf } from "./history.ts";
import { emptyState, fold, TriggerLine, type TriggerState } from "./trigger-state.ts";

const at = (minute: number) => new Date(Date.parse("2026-03-01T00:00:00Z") + minute * 60_000).toISOString();

/** As after a restart: from what the lines are on disk. */
function readBack(lines: readonly TriggerLine[]): TriggerState {
  const state = emptyState();
  for (const line of lines) fold(state, TriggerLine.parse(JSON.parse(JSON.stringify(line))));
  return state;
}

it("says the same after it was shortened: what fired, what may not fire again and what is under way", () => {
  const state = emptyState();
  fold(state, { type: "began", at: at(0), source: "abc" });
  for (let minute = 1; minute <= 900; minute++) {
    const id = `firing-${minute}`;
    if (minute % 100 === 0) {
      const slots = { from: at(minute), to: at(minute), count: 1, through: at(minute) };
      fold(state, { type: "skipped", at: at(minute), reason: "missed", ...slots });
      continue;
    }
    fold(state, { type: "fired", at: at(minute), id, cause: "schedule", slot: at(minute), keys: [`event ${minute}`] });
    fold(state, { type: "ended", at: at(minute), id, outcome: "quiet" });
  }
  fold(state, { type: "rewound", at: at(300) });
  fold(state, { type: "fired", at: at(301), id: "firing-open", cause: "asked", asked: true });
  fold(state, { type: "seen", at: at(301), mark: "commit 1" });
  const { lastFlight: _, ...again } = readBack(linesOf(state, at(302)));
  const { lastFlight: __, ...before } = state;
  expect(again).toEqual(before);
  expect(again.fired).toHaveLength(9);
});
