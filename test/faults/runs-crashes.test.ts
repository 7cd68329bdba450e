import { describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { projectProcesses, untilNoProcess } from "../harness/processes.ts";
import {
  bookOf,
  furnish,
  PROJECT,
  runOf,
  SLOW,
  spawnRun,
  untilDoing,
  untilLeased,
  untilOver,
} from "../harness/spawned-runs.ts";

const QUICK = "turns:\n  - text: Done.\n";

async function eventsOf(hall: Hall, type: string): Promise<HallEvent[]> {
  return (await hall.call("GET", `/api/events/log?tail=1000&type=${type}`)).body.events;
}

async function killTheProcess(hall: Hall): Promise<void> {
  const [pid] = await eventually(
    () => projectProcesses(hall.workspace),
    (pids) => pids.length === 1,
  );
  if (pid === undefined) throw new Error("there is no process");
  process.kill(pid, "SIGKILL");
  await eventually(
    () => projectProcesses(hall.workspace).includes(pid),
    (isThere) => !isThere,
  );
}

const statusOf = async (hall: Hall) => (await hall.call("GET", `/api/projects/${PROJECT}`)).body.project.status;

describe("a project's process that dies", () => {
  it("is told of once with its cause, started again with a growing pause, and the third time in a minute suspends the project", {
    timeout: 180_000,
  }, async () => {
    const hall = await furnish(await startHall(), { slow: SLOW, quick: QUICK });
    const ids = [await spawnRun(hall, "slow", "one")];
    const starts: number[] = [];
    const kills: number[] = [];
    for (let crash = 1; crash <= 3; crash++) {
      starts.push(await untilLeased(hall.workspace, ids[0] ?? "", crash));
      // Spared the first crash: two are not enough to give it up. It only reads: two that may write would take turns.
      const overrides = { model: "offline/slow", skills: ["read"] };
      if (crash === 2) ids[1] = await spawnRun(hall, "slow", "late", { overrides });
      if (crash === 2) await untilLeased(hall.workspace, ids[1] ?? "", 1);
      kills.push(Date.now());
      await killTheProcess(hall);
    }
    await eventually(
      () => statusOf(hall),
      (status) => status === "suspended",
    );
    const crashes = await eventsOf(hall, "project.crashed");
    expect(crashes.map(({ after }) => [after?.cause, after?.crashes])).toEqual([
      ["signal SIGKILL", 1],
      ["signal SIGKILL", 2],
      ["signal SIGKILL", 3],
    ]);
    expect(crashes[1]?.after?.runs).toHaveLength(2);
    expect((starts[1] ?? 0) - (kills[0] ?? 0)).toBeGreaterThanOrEqual(250);
    expect((starts[2] ?? 0) - (kills[1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    const [moved] = (await eventsOf(hall, "project.moved")).slice(-1);
    const why = "Its process crashed 3 times within a minute. Last cause: signal SIGKILL";
    expect(moved).toMatchObject({ actor: { kind: "daemon" }, after: { status: "suspended" }, why });
    const { problems } = (await hall.call("GET", "/api/problems")).body;
    expect(problems).toMatchObject([{ projectId: PROJECT, reason: expect.stringContaining(why) }]);
    expect(await runOf(hall, ids[0] ?? "")).toMatchObject({ status: "failed" });
    expect(await runOf(hall, ids[1] ?? "")).toMatchObject({ status: "running" });
    expect(projectProcesses(hall.workspace)).toEqual([]);
    const before = bookOf(hall.workspace, ids[1] ?? "").filter((line) => line.type === "leased").length;
    await hall.call("POST", `/api/projects/${PROJECT}/move`, { status: "active" });
    await untilLeased(hall.workspace, ids[1] ?? "", before + 1);
    expect((await hall.call("GET", "/api/problems")).body.problems).toEqual([]);
    await killTheProcess(hall);
    expect(await untilOver(hall, ids[1] ?? "")).toMatchObject({ status: "failed" });
    expect(await statusOf(hall)).toBe("active");
  });

  it("may die as often as it likes while its runs still come to their end", { timeout: 180_000 }, async () => {
    const hall = await furnish(await startHall(), { slow: SLOW, quick: QUICK });
    for (let crash = 1; crash <= 4; crash++) {
      await untilOver(hall, await spawnRun(hall, "quick", `quick ${crash}`));
      await killTheProcess(hall);
      await eventually(
        () => eventsOf(hall, "project.crashed"),
        (events) => events.length === crash,
      );
    }
    expect(await statusOf(hall)).toBe("active");
  });

  it("because it was asked to is no crash", async () => {
    const hall = await furnish(await startHall(), { slow: SLOW });
    const id = await spawnRun(hall, "slow", "held");
    for (let times = 1; times <= 4; times++) {
      await untilLeased(hall.workspace, id, times);
      await untilDoing(hall, id, { kind: "thinking" });
      await hall.call("POST", `/api/projects/${PROJECT}/move`, { status: "suspended" });
      await untilNoProcess(hall.workspace);
      await hall.call("POST", `/api/projects/${PROJECT}/move`, { status: "active" });
    }
    expect(await eventsOf(hall, "project.crashed")).toEqual([]);
    expect(await statusOf(hall)).toBe("active");
  });
});
