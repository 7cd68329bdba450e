import { describe, expect, it, onTestFinished } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { eventually, type Hall, spawnHall, startHall } from "../harness/daemon.ts";
import { projectProcess, projectProcesses } from "../harness/processes.ts";
import { startProvider } from "../harness/scripted-provider.ts";
import {
  bookOf,
  entriesOf,
  furnish,
  isDoing,
  journalOf,
  listRuns,
  PARENT,
  PROJECT,
  runOf,
  SLOW,
  SOON,
  spawnBody,
  spawnRun,
  untilDoing,
  untilOver,
} from "../harness/spawned-runs.ts";
import { workspaceWith } from "../harness/workspace-config.ts";
import { assertDoneOnce, UNKNOWN } from "./run-traces.ts";

async function hallWith(playbooks: Record<string, string>, config = ""): Promise<Hall> {
  return furnish(await startHall(workspaceWith(config)), playbooks);
}

/** Answers when it is over, which without the cancelling would take a minute or for ever. */
async function cancel(hall: Hall, id: string): Promise<void> {
  const { status, body } = await hall.call("POST", `/api/runs/${id}/stop`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.run).toMatchObject({ id, status: "cancelled", error: "It was stopped." });
}

describe("cancelling a run", () => {
  it("reaches the model call under way, and the task goes back", async () => {
    const provider = await startProvider([{ hang: true }]);
    onTestFinished(() => provider.close());
    const hall = await hallWith({}, `providers: {local: {kind: openai-compatible, baseUrl: "${provider.url}/v1"}}\n`);
    const id = await spawnRun(hall, "", "hangs", { overrides: { model: "local/any" } });
    const request = await provider.request(0);
    await cancel(hall, id);
    expect(await request.ended).toBe("aborted");
    expect((await hall.call("GET", `/api/projects/${PROJECT}/tasks/TASK-001`)).body.task.status).toBe("pending");
    const { events } = (await hall.call("GET", "/api/events/log?tail=20")).body;
    const moved = events.filter(({ type, after }: HallEvent) => type === "task.moved" && after?.status === "pending");
    expect(moved.map(({ actor }: HallEvent) => actor.kind)).toEqual(["person"]);
    expect((await hall.call("POST", `/api/runs/${id}/stop`)).body.error.code).toBe("run_ended");
  });

  it("takes one that has not started out of the queue", async () => {
    const hall = await hallWith({ slow: SLOW, quick: "turns: [{text: Done.}]\n" }, "limits: {runsPerProject: 1}\n");
    const first = await spawnRun(hall, "slow", "first");
    const second = await spawnRun(hall, "quick", "second");
    const third = await spawnRun(hall, "quick", "third");
    await untilDoing(hall, first, { kind: "thinking" });
    await cancel(hall, second);
    await cancel(hall, first);
    expect((await untilOver(hall, third)).status).toBe("completed");
    expect((await runOf(hall, second)).status).toBe("cancelled");
    expect(bookOf(hall.workspace, second).map((line) => line.type)).toEqual(["created", "cancelling", "settled"]);
    expect(journalOf(hall.workspace, second).map((entry) => entry.type)).toEqual(["plan"]);
  });

  it("cancels everything it has started too", async () => {
    const hall = await hallWith({ parent: PARENT, helper: SLOW });
    const parent = await spawnRun(hall, "parent", "parent");
    const child = await eventually(
      async () => (await listRuns(hall)).find((run) => run.parentRunId === parent),
      (run) => run?.status === "running",
    );
    await cancel(hall, parent);
    expect(await untilOver(hall, child?.id ?? "")).toMatchObject({ status: "cancelled" });
  });

  it("does not wait for a process that hangs, and what else that process had goes on", async () => {
    const hall = await hallWith({ slow: SLOW, soon: SOON });
    // It only reads: two that may write would take turns.
    const overrides = { model: "offline/slow", skills: ["read"] };
    const hanging = await spawnRun(hall, "slow", "hangs", { overrides });
    const other = await spawnRun(hall, "soon", "goes on");
    await untilDoing(hall, hanging, { kind: "thinking" });
    await eventually(
      () => entriesOf(journalOf(hall.workspace, other), "result").length,
      (count) => count === 1,
    );
    const pid = projectProcess(hall.workspace);
    process.kill(pid, "SIGSTOP");
    await cancel(hall, hanging);
    await untilOver(hall, other);
    await assertDoneOnce(hall, other);
    expect(projectProcesses(hall.workspace)).not.toContain(pid);
  });
});

describe("a run that takes too long", () => {
  it("fails with the limit it had, and its model call is ended", async () => {
    const hall = await hallWith({ slow: SLOW });
    const id = await spawnRun(hall, "slow", "slow", { overrides: { model: "offline/slow", timeout: 1 } });
    const run = await untilOver(hall, id);
    expect(run).toMatchObject({ status: "failed", cause: "time" });
    expect(entriesOf(journalOf(hall.workspace, id), "ended")).toHaveLength(1);
  });

  it("is not failed for the time in which it waits for its children", async () => {
    const helper = "turns:\n  - delayMs: 1500\n    text: I took my time.\n";
    const hall = await hallWith({ parent: PARENT, helper });
    const id = await spawnRun(hall, "parent", "patient", { overrides: { model: "offline/parent", timeout: 1 } });
    expect(await untilOver(hall, id)).toMatchObject({
      status: "completed",
      result: { output: "The child said: I took my time." },
    });
  });
});

describe("limits and waiting", () => {
  it("lets a parent wait for its children with a single run and a single tool call at a time", async () => {
    const deep = {
      ...childPlaybooks(),
      helper: "turns:\n  - calls: [{tool: write, input: {path: h.md, content: h}}]\n  - text: Helped.\n",
    };
    const hall = await hallWith(deep, "limits: {runs: 1, runsPerProject: 1, toolCalls: 1}\n");
    const id = await spawnRun(hall, "three", "three children at once");
    const run = await untilOver(hall, id);
    expect(run).toMatchObject({ status: "completed", result: { output: "Helped." } });
    const children = (await listRuns(hall)).filter((other) => other.parentRunId === id);
    expect(children.map((child) => child.status)).toEqual(["completed", "completed", "completed"]);
  });

  it("finishes what was begun before it begins something new, and never runs more at once than allowed", async () => {
    const helper = "turns:\n  - delayMs: 100\n    text: Helped.\n";
    const hall = await hallWith({ parent: PARENT, helper }, "limits: {runsPerProject: 1}\n");
    const ids: string[] = [];
    for (const title of ["one", "two", "three"]) ids.push(await spawnRun(hall, "parent", title));
    for (const id of ids) expect((await untilOver(hall, id)).status).toBe("completed");
    const ended = (await listRuns(hall))
      .filter((run) => run.parentRunId === undefined)
      .toSorted((left, right) => ((left.endedAt ?? "") < (right.endedAt ?? "") ? -1 : 1));
    expect(ended.map((run) => run.title)).toEqual(["one", "two", "three"]);
    for (const [place, run] of ended.slice(1).entries())
      expect(run.startedAt && run.startedAt >= (ended[place]?.endedAt ?? "")).toBe(true);
  });
});

function childPlaybooks() {
  const call = (title: string) => `{tool: spawn_subagent, input: {role: helper, title: ${title}}}`;
  return {
    three: `turns:\n  - calls: [${call("a")}, ${call("b")}, ${call("c")}]\n  - text: "{{last.spawn_subagent}}"\n`,
  };
}

describe("the daemon stopping", () => {
  it("hands running runs back, answers whoever waits, and the next one goes on [S3-SHUT-01 S3-SHUT-02 S3-SHUT-03 S3-BOOT-06]", async () => {
    const workspace = workspaceWith("");
    const hall = await spawnHall(workspace);
    await furnish(hall, { soon: SOON });
    const waiting = hall.call(
      "POST",
      "/api/team/spawn",
      spawnBody("soon", "waited for", { options: { waitForCompletion: true } }),
    );
    const [run] = await eventually(
      () => listRuns(hall),
      (runs) =>
        isDoing(runs[0], { kind: "thinking" }) &&
        entriesOf(journalOf(workspace, runs[0]?.id ?? ""), "result").length === 1,
    );
    const id = run?.id ?? "";
    const start = performance.now();
    await hall.stop();
    expect(performance.now() - start).toBeLessThan(5_000);
    expect((await waiting).body.error.code).toBe("stopping");
    expect(projectProcesses(workspace)).toEqual([]);
    expect(bookOf(workspace, id).map((line) => line.type)).toEqual(["created", "leased"]);
    const again = await spawnHall(workspace);
    await untilOver(again, id);
    const journal = await assertDoneOnce(again, id);
    expect(entriesOf(journal, "result").some((result) => UNKNOWN.test(result.output))).toBe(false);
    expect(entriesOf(journal, "started")).toHaveLength(2);
  });
});
