import { describe, expect, it } from "vitest";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import {
  entriesOf,
  furnish,
  journalOf,
  runOf,
  SLOW,
  spawnRun,
  untilDoing,
  untilOver,
} from "../harness/spawned-runs.ts";
import { BOOK, crashingHall, JOURNAL } from "./crashing-hall.ts";
import { assertDoneOnce } from "./run-traces.ts";

describe("a message to a run", () => {
  const LISTENING = `
turns:
  - delayMs: 400
    calls: [{tool: list, input: {path: "."}}]
  - delayMs: 400
    text: "I heard: {{message}}"
  - text: "And then: {{message}}"
`;
  const say = (hall: Hall, id: string, text: string) => hall.call("POST", `/api/runs/${id}/message`, { text });
  const heardBy = (hall: Hall, id: string) =>
    entriesOf(journalOf(hall.workspace, id), "message").map((entry) => entry.text);

  it("reaches the model with its next turn [S3-BOOT-08]", async () => {
    const hall = await furnish(await startHall(), { listening: LISTENING });
    const id = await spawnRun(hall, "listening", "listens");
    await untilDoing(hall, id, { kind: "thinking" });
    expect((await say(hall, id, "Hurry up.")).status).toBe(200);
    expect(await untilOver(hall, id)).toMatchObject({ result: { output: "I heard: Hurry up." } });
    expect(heardBy(hall, id)).toEqual(["Hurry up."]);
    expect((await say(hall, id, "Too late.")).body.error.code).toBe("run_ended");
  });

  it("that comes with the last turn makes the agent go on", async () => {
    const hall = await furnish(await startHall(), { listening: LISTENING });
    const id = await spawnRun(hall, "listening", "nearly done");
    await eventually(
      () => entriesOf(journalOf(hall.workspace, id), "result").length,
      (count) => count === 1,
    );
    expect((await say(hall, id, "One more thing.")).status).toBe(200);
    expect(await untilOver(hall, id)).toMatchObject({ result: { output: "And then: One more thing." } });
    expect(heardBy(hall, id)).toEqual(["One more thing."]);
  });

  it("waits for a run that has not started", async () => {
    const hall = await furnish(await startHall(), { slow: SLOW, listening: LISTENING });
    const busy: string[] = [];
    for (const title of ["a", "b", "c"]) busy.push(await spawnRun(hall, "slow", title));
    const id = await spawnRun(hall, "listening", "waits");
    expect((await runOf(hall, id)).status).toBe("pending");
    expect((await say(hall, id, "For later.")).status).toBe(200);
    for (const other of busy) await hall.call("POST", `/api/runs/${other}/stop`);
    expect(await untilOver(hall, id)).toMatchObject({ result: { output: "I heard: For later." } });
    expect(heardBy(hall, id)).toEqual(["For later."]);
  });

  it("that was acknowledged is heard exactly once, whoever is killed right after", { timeout: 180_000 }, async () => {
    const crashing = await crashingHall({ listening: LISTENING });
    for (const victim of ["daemon", "project"] as const) {
      const id = await spawnRun(crashing.hall, "listening", victim);
      await untilDoing(crashing.hall, id, { kind: "thinking" });
      const point = { victim, file: BOOK, text: '"type":"message"', when: "after" as const };
      crashing.arm(point);
      const said = say(crashing.hall, id, `Mind the ${victim}.`).catch(() => undefined);
      await crashing.struck(point);
      await said;
      await untilOver(crashing.hall, id);
      expect(heardBy(crashing.hall, id)).toEqual([`Mind the ${victim}.`]);
      await assertDoneOnce(crashing.hall, id);
    }
  });

  it("that the model has heard already is not said again after a crash", { timeout: 180_000 }, async () => {
    const crashing = await crashingHall({ listening: LISTENING });
    const id = await spawnRun(crashing.hall, "listening", "once");
    await untilDoing(crashing.hall, id, { kind: "thinking" });
    const point = { victim: "daemon" as const, file: JOURNAL, text: '"type":"message"', when: "after" as const };
    crashing.arm(point);
    expect((await say(crashing.hall, id, "Once.")).status).toBe(200);
    await crashing.struck(point);
    expect(await untilOver(crashing.hall, id)).toMatchObject({ result: { output: "I heard: Once." } });
    expect(heardBy(crashing.hall, id)).toEqual(["Once."]);
  });
});
