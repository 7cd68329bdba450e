import { expect, it } from "vitest";
import { HallError } from "../contract/errors.ts";
import { IdleSuspension, type IdleSuspensionParts } from "./idle-suspension.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-03-20T12:00:00Z");

interface Given {
  afterDays?: number;
  idleDays?: Record<string, number>;
  spokenTo?: string[];
  unsettled?: string[];
  inReview?: string[];
  onMove?: (id: string, to: string) => void;
  open?: (id: string) => string | undefined;
}

/** A hall of active projects, idle for so many days each; what it does is written down. */
function policy(given: Given) {
  const idle = given.idleDays ?? { quiet: 8 };
  const [unsettled, spokenTo] = [[...(given.unsettled ?? [])], [...(given.spokenTo ?? [])]];
  const told: string[] = [];
  const moves: { id: string; to: string; why: string | undefined; by: string }[] = [];
  const records = {
    projects: {
      list: ({ after, limit }: { after: string; limit: number }) =>
        Object.keys(idle)
          .sort()
          .filter((id) => id > after)
          .slice(0, limit)
          .map((id) => ({ id })),
    },
    runs: {
      unsettled: (id: string) => unsettled.filter((each) => each === id),
      list: ({ projectId }: { projectId: string }) => (given.inReview ?? []).filter((each) => each === projectId),
    },
  };
  const parts: IdleSuspensionParts = {
    core: records as unknown as IdleSuspensionParts["core"],
    projects: {
      move: async (id, to, { actor, why }) => {
        given.onMove?.(id, to);
        moves.push({ id, to, why, by: actor.kind });
        return {} as never;
      },
    },
    clock: () => new Date(NOW),
    afterDays: given.afterDays ?? 7,
    lastActivityOf: (id) => NOW - (idle[id] ?? 0) * DAY,
    isSpokenTo: (id) => spokenTo.includes(id),
    openIn: async (id) => given.open?.(id),
    tell: async (id, text) => {
      told.push(`${id}: ${text}`);
      return true;
    },
  };
  return { check: (signal?: AbortSignal) => new IdleSuspension(parts).check(signal), moves, told, unsettled, spokenTo };
}

it("suspends what was idle for as long as the policy says, and tells since when [S3-FUT-04 S3-LC-02]", async () => {
  const { check, moves } = policy({ idleDays: { quiet: 7, busy: 6.9, forgotten: 400 } });
  expect(await check()).toEqual(["forgotten", "quiet"]);
  expect(moves).toEqual([
    { id: "forgotten", to: "suspended", by: "daemon", why: "No activity for 7 days, since 2025-02-13" },
    { id: "quiet", to: "suspended", by: "daemon", why: "No activity for 7 days, since 2026-03-13" },
  ]);
});

it("suspends nothing when it is told to leave projects alone", async () => {
  const { check, moves } = policy({ afterDays: 0, idleDays: { forgotten: 400 } });
  expect(await check()).toEqual([]);
  expect(moves).toEqual([]);
});

it.each([
  ["a run is not settled", { unsettled: ["quiet"] }],
  ["a run waits for review", { inReview: ["quiet"] }],
  ["a message is open", { spokenTo: ["quiet"] }],
])("leaves a project alone in which %s [S3-FUT-04]", async (_what, given) => {
  const { check, moves } = policy(given);
  expect(await check()).toEqual([]);
  expect(moves).toEqual([]);
});

it("brings a project back at once when work came in while it was being suspended", async () => {
  const { check, moves, unsettled } = policy({
    onMove: (id) => {
      unsettled.push(id);
    },
  });
  expect(await check()).toEqual([]);
  expect(moves.map(({ to }) => to)).toEqual(["suspended", "active"]);
});

it("goes on with the next project when one was moved by somebody else in between", async () => {
  const { check } = policy({
    idleDays: { first: 9, second: 9 },
    onMove: (id) => {
      if (id === "first") throw new HallError("illegal_move", "It is suspended already.");
    },
  });
  expect(await check()).toEqual(["second"]);
});

it("sees every one of a thousand projects", async () => {
  const idleDays = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${1_000 + at}`, 8]));
  expect(await policy({ idleDays }).check()).toHaveLength(1_000);
});

it("leaves the rest for another time when the hall stops", async () => {
  const stopping = new AbortController();
  const { check, moves } = policy({ idleDays: { first: 9, second: 9 }, onMove: () => stopping.abort() });
  expect(await check(stopping.signal)).toEqual(["first"]);
  expect(moves).toHaveLength(1);
});

it("tells the agent what is open instead of suspending its project", async () => {
  const { check, moves, told } = policy({ open: () => "- TASK-001 is in progress." });
  expect(await check()).toEqual([]);
  expect(moves).toEqual([]);
  expect(told).toEqual([
    "quiet: This project is about to be suspended for inactivity, but:\n- TASK-001 is in progress.",
  ]);
});
