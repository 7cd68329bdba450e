import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { answerRun, pendingOf } from "../harness/escalating.ts";
import { guildhall } from "../harness/guildhall.ts";
import { killableDaemon } from "../harness/killable-daemon.ts";
import { projectProcesses } from "../harness/processes.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { bookOf, entriesOf, furnish, journalOf, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

/** The write comes behind the question in the same turn: it is carried out once, after the answer. */
const ASKS = `
turns:
  - calls:
      - {tool: write, input: {path: before.md, content: b}}
      - {tool: escalate, input: {type: question, question: "Which color?", blocksTask: TASK-001}}
      - {tool: write, input: {path: after.md, content: a}}
  - text: "It is {{last.escalate}}"
`;
const TELLS = `
turns:
  - calls: [{tool: notify, input: {text: "Half of it is done."}}]
  - text: "{{last.notify}}"
`;
const playbooks = { asks: ASKS, tells: TELLS };

async function waitingRun(setup: { config?: object; git?: boolean; title?: string } = {}) {
  const started = await startHall(undefined, { config: setup.config ?? {} });
  const repo = repository({ "a.txt": "a\n" });
  const hall = setup.git ? await hallOver(started, { root: repo.root, playbooks }) : await furnish(started, playbooks);
  const id = await spawnRun(hall, "asks", "Ask it");
  await untilParked(hall, id);
  return { hall, id };
}

const untilParked = (hall: Hall, id: string) =>
  eventually(
    async () => [await runOf(hall, id), linesOf(hall.workspace, id, "waiting").length] as const,
    ([run, lines]) => run.waitingFor === "answer" && lines > 0,
  ).then(([run]) => run);
const linesOf = (workspace: string, id: string, type: string) =>
  bookOf(workspace, id).filter((line) => line.type === type);
const outputsOf = (workspace: string, id: string) =>
  entriesOf(journalOf(workspace, id), "result").map(({ name, output }) => `${name}: ${output}`);

const BLUE = "esc-001: Which color?\nAnswer (person): blue";

async function continued({ hall, id }: { hall: Hall; id: string }) {
  expect(await answerRun(hall, id, "blue")).toBe(200);
  const run = await untilOver(hall, id);
  expect([run.status, run.error, run.result?.output]).toEqual(["completed", undefined, `It is ${BLUE}`]);
  return run;
}

describe("a run that waits for an answer", () => {
  it("shows what it waits for, and continues with the answer, carrying out every call once", async () => {
    const { hall, id } = await waitingRun();
    expect(await runOf(hall, id)).toMatchObject({
      status: "running",
      waitingFor: "answer",
      waitingSince: expect.any(String),
      activity: { kind: "waiting", for: "answer", detail: "Which color?" },
    });
    const { needsMe } = (await hall.call("GET", "/api/now")).body;
    // Once: as the question, not also as the run that waits for its answer.
    expect(needsMe).toMatchObject([
      { kind: "escalation", title: "Which color?", detail: expect.stringContaining("is blocked until you answer") },
    ]);
    const shown = await guildhall(["status"], { workspace: hall.workspace });
    expect(shown.stdout).toContain("1 waiting for an answer");
    expect(outputsOf(hall.workspace, id)).toEqual([expect.stringContaining("write: Created before.md")]);

    const run = await continued({ hall, id });
    expect(run).not.toHaveProperty("waitingFor");
    expect(outputsOf(hall.workspace, id)).toEqual([
      expect.stringContaining("write: Created before.md"),
      `escalate: ${BLUE}`,
      expect.stringContaining("write: Created after.md"),
    ]);
    expect([linesOf(hall.workspace, id, "waiting"), linesOf(hall.workspace, id, "resumed")]).toEqual([
      [expect.objectContaining({ parked: expect.objectContaining({ reason: "answer" }) })],
      [expect.objectContaining({ answer: { output: BLUE } })],
    ]);
    // A second answer comes too late, and shows the first.
    const second = await hall.call("POST", "/api/escalations/esc-001/resolve", { resolution: "red" });
    expect([second.status, second.body.error]).toMatchObject([
      409,
      { code: "escalation_resolved", message: expect.stringContaining("blue") },
    ]);
  });

  it("holds no place in a limit: with room for one run, another one completes meanwhile", async () => {
    const waiting = await waitingRun({ git: true, config: { limits: { runs: 1, runsPerProject: 1 } } });
    const other = await untilOver(waiting.hall, await spawnRun(waiting.hall, "tells", "Tell it"));
    expect([other.status, other.result?.output]).toEqual(["completed", "Notification saved."]);
    expect((await continued(waiting)).delivery).toMatchObject({ kind: "branch", state: "delivered", files: 2 });
  });

  it("keeps its turn in a folder without git, so that what each run changed can be told apart", async () => {
    const waiting = await waitingRun();
    const { hall, id } = waiting;
    const other = await spawnRun(hall, "tells", "Tell it");
    await eventually(
      () => runOf(hall, other),
      (run) => run.waitingFor === "turn",
    );
    expect(await runOf(hall, other)).toMatchObject({ status: "pending", waitingForRun: id });
    await continued(waiting);
    expect((await untilOver(hall, other)).status).toBe("completed");
  });

  it("can be cancelled, and then takes no answer", async () => {
    const { hall, id } = await waitingRun({ git: true });
    expect((await hall.call("POST", `/api/runs/${id}/stop`)).status).toBe(200);
    const run = await untilOver(hall, id);
    expect(run).toMatchObject({ status: "cancelled", delivery: { state: "kept", files: 1 } });
    expect(run).not.toHaveProperty("waitingFor");
    const late = await hall.call("POST", "/api/escalations/esc-001/resolve", { resolution: "blue" });
    expect([late.status, late.body.error?.message]).toEqual([409, `esc-001 was withdrawn: Run '${id}' was stopped.`]);
  });

  it("waits on while its project is suspended, and continues when that is resumed", async () => {
    const { hall, id } = await waitingRun();
    const move = async (status: string) =>
      expect((await hall.call("POST", `/api/projects/${PROJECT}/move`, { status })).status).toBe(200);
    await move("suspended");
    expect(await answerRun(hall, id, "blue")).toBe(200);
    expect((await runOf(hall, id)).status).toBe("running");
    await move("active");
    expect((await untilOver(hall, id)).result?.output).toBe(`It is ${BLUE}`);
  });
});

it("a run waits through kill -9 without a process, and continues once, whenever the daemon is killed", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const first = await killableDaemon(workspace);
  await furnish(first.hall, playbooks);
  const id = await spawnRun(first.hall, "asks", "Ask it");
  await untilParked(first.hall, id);
  await first.kill();

  const second = await killableDaemon(workspace);
  const waiting = await untilParked(second.hall, id);
  expect(waiting).toMatchObject({ status: "running", activity: { detail: "Which color?" } });
  // Nobody had to start it to know that it waits.
  expect([linesOf(workspace, id, "leased"), projectProcesses(workspace)]).toMatchObject([[{}], []]);
  // It is killed again as soon as the answer is on disk.
  await pendingOf(second.hall, id);
  expect(await answerRun(second.hall, id, "blue")).toBe(200);
  await second.kill();

  const third = await killableDaemon(workspace);
  const run = await untilOver(third.hall, id);
  expect([run.status, run.result?.output]).toEqual(["completed", `It is ${BLUE}`]);
  expect(outputsOf(workspace, id).filter((line) => line.startsWith("escalate"))).toEqual([`escalate: ${BLUE}`]);
  expect(linesOf(workspace, id, "resumed")).toHaveLength(1);
  await third.kill();
});
