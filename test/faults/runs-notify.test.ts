import { describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { startHall } from "../harness/daemon.ts";
import { bookOf, entriesOf, furnish, journalOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, crashingHall, EVENTS, JOURNAL } from "./crashing-hall.ts";
import { assertDoneOnce } from "./run-traces.ts";
import { sampled } from "./sampled.ts";

const TELLING = `
turns:
  - text: I tell.
    calls: [{tool: notify, input: {text: "The build is red."}}]
  - calls: [{tool: notify, input: {text: "The build is red."}}]
  - text: "{{last.notify}}"
`;

const points: (Omit<CrashPoint, "victim"> & { name: string })[] = [
  { name: "after the call is journaled", file: JOURNAL, text: '"text":"I tell\\."', when: "after" },
  { name: "before it is in the book", file: BOOK, text: '"notified"', when: "before" },
  { name: "after it is in the book", file: BOOK, text: '"notified"', when: "after" },
  { name: "before the log tells of it", file: EVENTS, text: '"run\\.notified"', when: "before" },
  { name: "after the log tells of it", file: EVENTS, text: '"run\\.notified"', when: "after" },
  { name: "before its result", file: JOURNAL, text: '"result".*Notification saved', when: "before" },
  { name: "after its result", file: JOURNAL, text: '"result".*Notification saved', when: "after" },
];

describe("what an agent tells the person", () => {
  it("is durable before the agent goes on [S3-TOOL-08 S3-BOOT-11]", async () => {
    const hall = await furnish(await startHall(), { telling: TELLING });
    const id = await spawnRun(hall, "telling", "tells");
    expect(await untilOver(hall, id)).toMatchObject({ result: { output: "Notification saved." } });
    const journal = journalOf(hall.workspace, id);
    const calls = entriesOf(journal, "answer").flatMap((answer) => (answer.calls ?? []).map((call) => call.id));
    const told = bookOf(hall.workspace, id).filter((line) => line.type === "notified");
    expect(told.map((line) => "callId" in line && line.callId)).toEqual(calls);
  });

  it.each(["daemon", "project"] as const)(
    "is told once for each call when the %s is killed",
    {
      timeout: 180_000,
    },
    async (victim) => {
      const crashing = await crashingHall({ telling: TELLING });
      for (const { name, ...at } of sampled(points, { every: 6, from: victim === "daemon" ? 1 : 0 })) {
        const point = { ...at, victim };
        crashing.arm(point);
        const id = await spawnRun(crashing.hall, "telling", name);
        await crashing.struck(point);
        await untilOver(crashing.hall, id);
        const journal = await assertDoneOnce(crashing.hall, id);
        const results = entriesOf(journal, "result").map((result) => result.output);
        expect(results, name).toEqual(["Notification saved.", "Notification saved."]);
        const { events } = (await crashing.hall.call("GET", "/api/events/log?tail=1000&type=run.notified")).body;
        const told = events.filter((event: HallEvent) => event.subject.id === id);
        expect(new Set(told.map((event: HallEvent) => event.after?.callId)).size, name).toBe(2);
        expect(told, name).toHaveLength(2);
      }
    },
  );
});
