import { describe, expect, it } from "vitest";
import { eventually } from "../harness/daemon.ts";
import {
  bookOf,
  isDoing,
  listRuns,
  PARENT,
  PROJECT,
  runOf,
  SLOW,
  spawnRun,
  untilDoing,
  untilOver,
} from "../harness/spawned-runs.ts";
import { BOOK, crashingHall, EVENTS } from "./crashing-hall.ts";

const daemon = { victim: "daemon" as const };

describe("a cancel that was taken down", () => {
  it.each([
    { name: "right after", point: { ...daemon, file: BOOK, text: '"cancelling"', when: "after" as const } },
    {
      name: "before its end is in the book",
      point: { ...daemon, file: BOOK, text: '"settled"', when: "before" as const },
    },
    {
      name: "before its end is told",
      point: { ...daemon, file: EVENTS, text: '"run\\.ended"', when: "before" as const },
    },
  ])("ends the run although the daemon dies $name", { timeout: 180_000 }, async ({ point }) => {
    const crashing = await crashingHall({ slow: SLOW });
    const id = await spawnRun(crashing.hall, "slow", "unwanted");
    await untilDoing(crashing.hall, id, { kind: "thinking" });
    crashing.arm(point);
    await expect(crashing.hall.call("POST", `/api/runs/${id}/stop`)).rejects.toThrow();
    await crashing.struck(point);
    const run = await untilOver(crashing.hall, id);
    expect(run).toMatchObject({ status: "cancelled", error: "It was stopped." });
    const lines = bookOf(crashing.workspace, id).map((line) => line.type);
    expect(lines).toEqual(["created", "leased", "cancelling", "settled"]);
    const { task } = (await crashing.hall.call("GET", `/api/projects/${PROJECT}/tasks/${run.taskId}`)).body;
    expect(task.status).toBe("pending");
    const { events } = (await crashing.hall.call("GET", "/api/events/log?tail=100&type=run.ended")).body;
    expect(events).toHaveLength(1);
  });

  it("ends what the run has started, too, and a run of a project that is suspended", { timeout: 180_000 }, async () => {
    const crashing = await crashingHall({ parent: PARENT, helper: SLOW });
    const parent = await spawnRun(crashing.hall, "parent", "parent");
    const child = await eventually(
      async () => (await listRuns(crashing.hall)).find((run) => run.parentRunId === parent),
      (run) => isDoing(run, { kind: "thinking" }),
    );
    const point = { ...daemon, file: BOOK, text: '"cancelling"', when: "after" as const };
    crashing.arm(point);
    await expect(crashing.hall.call("POST", `/api/runs/${parent}/stop`)).rejects.toThrow();
    await crashing.struck(point);
    for (const id of [parent, child?.id ?? ""])
      expect(await untilOver(crashing.hall, id)).toMatchObject({ status: "cancelled" });
    const held = await spawnRun(crashing.hall, "parent", "held");
    await crashing.hall.call("POST", `/api/projects/${PROJECT}/move`, { status: "suspended" });
    crashing.arm(point);
    await expect(crashing.hall.call("POST", `/api/runs/${held}/stop`)).rejects.toThrow();
    await crashing.struck(point);
    expect(await runOf(crashing.hall, held)).toMatchObject({ status: "cancelled" });
  });
});
