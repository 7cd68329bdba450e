import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, spawnHall, startHall } from "../harness/daemon.ts";
import { held, scriptedHall } from "../harness/scripted-hall.ts";
import { furnish, listRuns, spawnBody, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const QUICK = "turns:\n  - text: Done.\n";
const SLOW = 'turns:\n  - calls: [{tool: list, input: {path: "."}}]\n  - delayMs: 700\n    text: Done at last.\n';
const playbooks = { quick: QUICK, slow: SLOW };

const keyed = <const Path extends string>(hall: Hall, key: string, path: Path, body?: object) =>
  hall.call("POST", path, body, { "idempotency-key": key });
const replayed = (answer: { headers: Headers }) => answer.headers.get("idempotency-replayed");
const tasksOf = async (hall: Hall) => (await hall.call("GET", "/api/tasks")).body.tasks;

async function expectOneRun(hall: Hall, id: string): Promise<void> {
  expect((await listRuns(hall)).map((run) => run.id)).toEqual([id]);
  expect(await tasksOf(hall)).toHaveLength(1);
}

describe("a spawn with an Idempotency-Key", () => {
  it("starts one run, however often it comes, also at once", async () => {
    const hall = await furnish(await startHall(), playbooks);
    const body = spawnBody("quick", "Once");
    const answers = await Promise.all(Array.from({ length: 10 }, () => keyed(hall, "burst", "/api/team/spawn", body)));
    const ids = new Set(answers.map((answer) => answer.body.sessionId));
    expect(ids.size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    await expectOneRun(hall, [...ids][0] ?? "");
  });

  it("that waits may be given up and sent again: the second waits for the run of the first", async () => {
    const gate = held();
    const { hall, provider } = await scriptedHall(() => gate.opened.then(() => ({ text: "Done." })));
    const leaving = new AbortController();
    const send = (signal: AbortSignal | null) =>
      fetch(`${hall.url}/api/projects/shop/spawn`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${hall.token}`,
          "content-type": "application/json",
          "idempotency-key": "patience",
        },
        body: JSON.stringify({ roleId: "coder", task: { title: "Once" }, options: { waitForCompletion: true } }),
        signal,
      });
    const first = send(leaving.signal);
    await provider.request(0);
    leaving.abort();
    await expect(first).rejects.toThrow();
    const second = send(null);
    gate.open();
    const answer = await second;
    expect(replayed(answer)).toBe("true");
    const { sessionId, status } = (await answer.json()) as { sessionId: string; status: string };
    expect(status).toBe("completed");
    await expectOneRun(hall, sessionId);
  });

  it.each([
    ["/api/team/spawn", spawnBody("quick", "Once")],
    ["/api/projects/shop/spawn", { ...spawnBody("quick", "Once"), projectId: undefined }],
    ["/api/team/spawn", { ...spawnBody("quick", "Once"), projectId: undefined }],
  ])("is answered with the run that was started after the hall was restarted: %s", async (path, body) => {
    const hall = await furnish(await startHall(), playbooks);
    const first = await keyed(hall, "key", path as "/api/team/spawn", body);
    await untilOver(hall, first.body.sessionId);
    await hall.stop();
    const again = await startHall(hall.workspace);
    const second = await keyed(again, "key", path, body);
    expect([second.status, replayed(second)]).toEqual([200, "true"]);
    const { sessionId, taskId } = first.body;
    expect(second.body).toMatchObject({ success: true, sessionId, taskId, status: "completed" });
    await expectOneRun(again, sessionId);
    const other = await keyed(again, "key", path, { ...body, task: { title: "Other" } });
    expect([other.status, other.body.error.code]).toEqual([409, "idempotency_mismatch"]);
    await expectOneRun(again, sessionId);
  });

  it("is answered with the run that was started, which goes on, after the daemon was killed", async () => {
    const hall = await spawnHall();
    await furnish(hall, playbooks);
    const body = spawnBody("slow", "Once");
    const { sessionId } = (await keyed(hall, "key", "/api/team/spawn", body)).body;
    await hall.kill();
    const again = await spawnHall(hall.workspace);
    const second = await keyed(again, "key", "/api/team/spawn", body);
    expect([second.status, replayed(second), second.body.sessionId]).toEqual([200, "true", sessionId]);
    expect(await untilOver(again, sessionId)).toMatchObject({ status: "completed" });
    await expectOneRun(again, sessionId);
  });

  it("starts at most one run although the daemon is killed before it has answered", async () => {
    const hall = await spawnHall();
    await furnish(hall, playbooks);
    const body = spawnBody("quick", "Once");
    const asked = keyed(hall, "key", "/api/team/spawn", body).catch(() => undefined);
    await hall.kill();
    await asked;
    const again = await startHall(hall.workspace);
    const second = await keyed(again, "key", "/api/team/spawn", body);
    expect(second.status).toBe(200);
    await untilOver(again, second.body.sessionId);
    await expectOneRun(again, second.body.sessionId);
  });

  it("that waits is told when the hall stops, and its repetition waits for the same run", async () => {
    const hall = await furnish(await startHall(), playbooks);
    const body = { ...spawnBody("slow", "Once"), options: { waitForCompletion: true } };
    const first = keyed(hall, "key", "/api/team/spawn", body);
    const [run] = await eventually(
      () => listRuns(hall),
      (runs) => runs.length > 0,
    );
    await untilDoing(hall, run?.id ?? "");
    await hall.stop();
    const told = await first;
    expect([told.status, told.body.error.code]).toEqual([503, "stopping"]);
    const again = await startHall(hall.workspace);
    const second = await keyed(again, "key", "/api/team/spawn", body);
    expect(second.body).toMatchObject({ sessionId: run?.id, status: "completed", result: { output: "Done at last." } });
    await expectOneRun(again, run?.id ?? "");
  });

  it("retries a run once, over a restart too", async () => {
    const hall = await furnish(await startHall(), playbooks);
    const { sessionId } = (await hall.call("POST", "/api/team/spawn", spawnBody("quick", "Once"))).body;
    await untilOver(hall, sessionId);
    const retried = await keyed(hall, "retry", `/api/runs/${sessionId}/retry`);
    expect(retried.body.sessionId).not.toBe(sessionId);
    await untilOver(hall, retried.body.sessionId);
    await hall.stop();
    const again = await startHall(hall.workspace);
    const second = await keyed(again, "retry", `/api/runs/${sessionId}/retry`);
    expect([second.body.sessionId, replayed(second)]).toEqual([retried.body.sessionId, "true"]);
    expect(await listRuns(again)).toHaveLength(2);
  });

  it("is what a message to a run may have too: it is said once, over a restart too", async () => {
    const hall = await furnish(await startHall(), playbooks);
    const { sessionId } = (await hall.call("POST", "/api/team/spawn", spawnBody("slow", "Listen"))).body;
    const say = (to: Hall) => keyed(to, "words", `/api/runs/${sessionId}/message`, { text: "Softly!" });
    expect((await say(hall)).status).toBe(200);
    await hall.stop();
    const again = await startHall(hall.workspace);
    expect((await say(again)).body).toEqual({ success: true });
    await untilOver(again, sessionId);
    expect((await say(again)).status).toBe(200);
    const { entries } = (await again.call("GET", `/api/runs/${sessionId}/transcript`)).body;
    expect(entries.filter(({ type }: { type: string }) => type === "message")).toHaveLength(1);
  });

  it("that was refused, or was only a dry run, leaves the key for another try", async () => {
    const hall = await startHall();
    const body = spawnBody("late", "Once");
    await furnish(hall, playbooks);
    expect((await keyed(hall, "key", "/api/team/spawn", body)).status).toBe(422);
    expect((await keyed(hall, "dry", "/api/team/spawn?dryRun=true", spawnBody("quick", "Once"))).status).toBe(200);
    mkdirSync(join(hall.workspace, "playbooks"), { recursive: true });
    writeFileSync(join(hall.workspace, "playbooks/late.yml"), QUICK);
    const { status, body: answer } = await keyed(hall, "key", "/api/team/spawn", body);
    expect(status).toBe(200);
    await untilOver(hall, answer.sessionId);
    await expectOneRun(hall, answer.sessionId);
  });
});
