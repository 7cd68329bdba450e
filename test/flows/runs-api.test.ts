import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { held, makeShop, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest } from "../harness/scripted-provider.ts";

const waiting = { options: { waitForCompletion: true } };
const list = async (hall: Hall, query = "") => (await hall.call("GET", `/api/runs${query}`)).body;
const idsOf = (runs: Run[]) => runs.map(({ id }) => id);
const call = { calls: [{ name: "list", input: { path: "." } }] };

describe("GET /api/runs", () => {
  it("is an empty page before the first run", async () => {
    const hall = await startHall();
    expect(await list(hall)).toEqual({ runs: [] });
    expect(await list(hall, "?project=nowhere")).toEqual({ runs: [] });
  });

  it("lists newest first, filters by project, status and task, and pages without gap or double", async () => {
    const { hall, spawn } = await scriptedHall(({ text }) =>
      text.includes("Fails") ? { status: 400 } : { text: "Done." },
    );
    await hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
    const spawned: string[] = [];
    for (const title of ["One", "Two", "Fails", "Three", "Four"])
      spawned.unshift((await spawn({ task: { title }, ...waiting })).body.sessionId);
    const { sessionId: elsewhere } = (await spawn({ projectId: "mill", ...waiting })).body;
    expect(idsOf((await list(hall)).runs)).toEqual([elsewhere, ...spawned]);
    expect(idsOf((await list(hall, "?project=mill")).runs)).toEqual([elsewhere]);
    expect(idsOf((await list(hall, "?project=shop&status=failed")).runs)).toEqual([spawned[2]]);
    expect((await list(hall, "?status=running")).runs).toEqual([]);
    expect(idsOf((await list(hall, "?project=shop&task=TASK-002")).runs)).toEqual([spawned[3]]);
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list(hall, `?project=shop&limit=2${cursor === undefined ? "" : `&cursor=${cursor}`}`);
      pages.push(idsOf(page.runs));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([spawned.slice(0, 2), spawned.slice(2, 4), spawned.slice(4)]);
    for (const query of ["?status=lost", "?limit=0", "?limit=1001", "?project=No Slug", "?unknown=1", "?cursor=%7B"])
      expect([query, (await hall.call("GET", `/api/runs${query}`)).status]).toEqual([query, 422]);
  });
});

describe("one run", () => {
  it("is shown whole, with its transcript in pages and what it was started with", async () => {
    const { hall, spawn } = await scriptedHall([call, call, { text: "Done." }]);
    const { sessionId } = (await spawn(waiting)).body;
    const { run } = (await hall.call("GET", `/api/runs/${sessionId}`)).body;
    expect(run).toMatchObject({
      id: sessionId,
      projectId: "shop",
      taskId: "TASK-001",
      roleId: "coder",
      title: "Write a note",
      status: "completed",
      progress: 1,
      model: "own/m",
      attempt: 1,
      usage: { turns: 3, inputTokens: 30, outputTokens: 15 },
      result: { output: "Done.", filesChanged: [] },
    });
    expect(Date.parse(run.endedAt ?? "")).toBeGreaterThanOrEqual(Date.parse(run.startedAt ?? ""));
    const page = async (query: string) => (await hall.call("GET", `/api/runs/${sessionId}/transcript${query}`)).body;
    const whole = await page("");
    expect(whole.total).toBe(whole.entries.length);
    expect(whole.entries.map(({ type }: { type: string }) => type)).toEqual([
      ...["plan", "started", "answer", "result", "answer", "result", "answer", "ended"],
    ]);
    const parts = [await page("?limit=3"), await page("?after=3&limit=3"), await page("?after=6&limit=3")];
    expect(parts.flatMap(({ entries }) => entries)).toEqual(whole.entries);
    expect(await page("?after=100")).toEqual({ entries: [], total: whole.total });
    for (const query of ["?after=-1", "?after=x", "?limit=0"])
      expect((await hall.call("GET", `/api/runs/${sessionId}/transcript${query}`)).status).toBe(422);
    const { plan } = (await hall.call("GET", `/api/runs/${sessionId}/prompt`)).body;
    expect(whole.entries[0]).toMatchObject({ type: "plan", plan });
  });

  it("that nobody knows is 404 everywhere, whatever its id looks like", async () => {
    const hall = await startHall();
    for (const id of ["run-9", "..%2f..%2fROLES.json", "__proto__", "x".repeat(300), "%00"]) {
      const asked = [
        hall.call("GET", `/api/team/spawn/${id}/status`),
        ...["", "/transcript", "/prompt"].map((part) => hall.call("GET", `/api/runs/${id}${part}`)),
        ...["/stop", "/retry"].map((part) => hall.call("POST", `/api/runs/${id}${part}`)),
        hall.call("POST", `/api/runs/${id}/message`, { text: "Hello" }),
      ];
      for (const { status, body } of await Promise.all(asked))
        expect([id, status, body.error.code]).toEqual([id, 404, "run_not_found"]);
    }
  });

  it("whose journal somebody removed is still listed, and says what is gone", async () => {
    const { hall, spawn } = await scriptedHall([{ text: "Done." }]);
    const { sessionId } = (await spawn(waiting)).body;
    const folder = join(hall.workspace, "projects/shop/runs");
    const { run } = (await hall.call("GET", `/api/runs/${sessionId}`)).body;
    rmSync(join(folder, run.createdAt.slice(0, 10)), { recursive: true });
    expect((await hall.call("GET", `/api/runs/${sessionId}`)).body.run.status).toBe("completed");
    const prompt = await hall.call("GET", `/api/runs/${sessionId}/prompt`);
    expect([prompt.status, prompt.body.error.code]).toEqual([404, "file_not_found"]);
    expect((await hall.call("GET", `/api/runs/${sessionId}/transcript`)).body).toEqual({ entries: [], total: 0 });
  });
});

describe("cancelling", () => {
  it("ends a run at work without waiting for the provider, which hears of it, and gives the task back", async () => {
    const { hall, provider, spawn } = await scriptedHall([{ hang: true }]);
    const { sessionId } = (await spawn()).body;
    const asked = await provider.request(0);
    const { status, body } = await hall.call("POST", `/api/runs/${sessionId}/stop`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, run: { id: sessionId, status: "cancelled" } });
    expect(await asked.ended).toBe("aborted");
    expect((await hall.call("GET", "/api/projects/shop/tasks/TASK-001")).body.task.status).toBe("pending");
    const again = await hall.call("POST", `/api/runs/${sessionId}/stop`);
    expect([again.status, again.body.error.code]).toEqual([409, "run_ended"]);
    expect(again.body.error.message).toContain("cancelled");
  });

  it("ends a run that has not begun, whose model is then never asked", async () => {
    const { hall, provider, spawn } = await scriptedHall([{ hang: true }], {
      config: { limits: { runsPerProject: 1, runs: 1 } },
    });
    const first = (await spawn()).body.sessionId;
    await provider.request(0);
    const second = (await spawn()).body.sessionId;
    expect((await hall.call("GET", `/api/runs/${second}`)).body.run.status).toBe("pending");
    const { body } = await hall.call("POST", `/api/runs/${second}/stop`);
    expect(body.run).toMatchObject({ status: "cancelled", usage: { turns: 0 } });
    await hall.call("POST", `/api/runs/${first}/stop`);
    expect(provider.requests).toHaveLength(1);
  });

  it("is refused for a run that is completed or failed", async () => {
    const { hall, spawn } = await scriptedHall([{ text: "Done." }, { status: 400 }]);
    for (const status of ["completed", "failed"]) {
      const { body } = await spawn(waiting);
      expect(body.status).toBe(status);
      const answer = await hall.call("POST", `/api/runs/${body.sessionId}/stop`);
      expect([answer.status, answer.body.error.code]).toEqual([409, "run_ended"]);
      expect((await hall.call("GET", `/api/runs/${body.sessionId}`)).body.run.status).toBe(status);
    }
  });

  it("answers whoever waits for the run", async () => {
    const { hall, provider, spawn } = await scriptedHall([{ hang: true }]);
    const answer = spawn(waiting);
    await provider.request(0);
    const id = (await list(hall)).runs[0]?.id;
    await hall.call("POST", `/api/runs/${id}/stop`);
    expect((await answer).body).toMatchObject({ success: false, status: "cancelled", error: expect.any(String) });
  });
});

describe("retrying", () => {
  it("starts a new run for the same task, asked for in the same way", async () => {
    const { hall, provider, spawn } = await scriptedHall([{ status: 400 }, { text: "Now." }]);
    await hall.call("POST", "/api/roles", {
      id: "painter",
      name: "Painter",
      systemPromptTemplate: "Paint it {{colour}}.",
      variables: ["colour"],
    });
    const overrides = { model: "claude/m", timeout: 44, skills: ["read"] };
    const asked = { roleId: "painter", variables: { colour: "red" }, overrides };
    const first = (await spawn({ ...asked, options: { waitForCompletion: true, createArtifact: false } })).body;
    expect(first.status).toBe("failed");
    const { status, body } = await hall.call("POST", `/api/runs/${first.sessionId}/retry`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, taskId: first.taskId, status: "pending" });
    expect(body.sessionId).not.toBe(first.sessionId);
    const run = await eventually(
      async () => (await hall.call("GET", `/api/runs/${body.sessionId}`)).body.run,
      ({ endedAt }) => endedAt !== undefined,
    );
    expect(run).toMatchObject({ status: "completed", model: "claude/m", result: { output: "Now.", artifacts: [] } });
    expect(provider.requests[1]?.system).toContain("Paint it red.");
    expect(provider.requests[1]?.tools).not.toContain("write");
    const { plan } = (await hall.call("GET", `/api/runs/${body.sessionId}/prompt`)).body;
    expect(plan).toMatchObject({ timeout: { value: 44 }, taskId: first.taskId });
    expect((await hall.call("GET", `/api/projects/shop/tasks/${first.taskId}`)).body.task.status).toBe("done");
    expect((await hall.call("GET", `/api/runs/${first.sessionId}`)).body.run.status).toBe("failed");
  });

  it("is refused while the run is at work", async () => {
    const { hall, provider, spawn } = await scriptedHall([{ hang: true }]);
    const { sessionId } = (await spawn()).body;
    await provider.request(0);
    const answer = await hall.call("POST", `/api/runs/${sessionId}/retry`);
    expect([answer.status, answer.body.error.code]).toEqual([409, "illegal_move"]);
    await hall.call("POST", `/api/runs/${sessionId}/stop`);
    expect((await list(hall)).runs).toHaveLength(1);
  });
});

describe("speaking to an agent at work", () => {
  it("reaches the model with its next request, in either wire format", async () => {
    for (const model of ["own/m", "claude/m"]) {
      const gate = held();
      const script = ({ turns }: SeenRequest) => (turns === 0 ? gate.opened.then(() => call) : { text: "Heard." });
      const { hall, provider, spawn } = await scriptedHall(script, { model });
      const { sessionId } = (await spawn()).body;
      await provider.request(0);
      const text = "Use the blue one, please.";
      const { status, body } = await hall.call("POST", `/api/runs/${sessionId}/message`, { text });
      expect([status, body]).toEqual([200, { success: true }]);
      gate.open();
      const next = await provider.request(1);
      expect(JSON.stringify(provider.requests[0]?.body)).not.toContain(text);
      expect(JSON.stringify(next.body)).toContain(text);
      const { entries } = (await hall.call("GET", `/api/runs/${sessionId}/transcript`)).body;
      const heard = entries.filter(({ type }: { type: string }) => type === "message");
      expect(heard).toMatchObject([{ from: "person", text }]);
    }
  });

  it("is refused when the run is over, and when there is nothing in it", async () => {
    const { hall, spawn } = await scriptedHall([{ text: "Done." }]);
    const { sessionId } = (await spawn(waiting)).body;
    const say = (body: unknown) => hall.call("POST", `/api/runs/${sessionId}/message`, body);
    const late = await say({ text: "Wait!" });
    expect([late.status, late.body.error.code]).toEqual([409, "run_ended"]);
    for (const body of [{}, { text: 1 }, { text: "x".repeat(100_001) }, { text: "x", to: "you" }])
      expect((await say(body)).status).toBe(422);
    expect((await say([])).status).toBe(400);
  });
});

it("a run is told of in the same words by a hall that was restarted", async () => {
  const hall = await startHall();
  await makeShop(hall);
  const body = { projectId: "shop", roleId: "coder", task: { title: "Rehearse" }, ...waiting };
  const { sessionId } = (await hall.call("POST", "/api/team/spawn", body)).body;
  const before = (await hall.call("GET", `/api/runs/${sessionId}`)).body;
  await hall.stop();
  const again = await startHall(hall.workspace);
  expect((await again.call("GET", `/api/runs/${sessionId}`)).body).toEqual(before);
  expect((await again.call("GET", `/api/team/spawn/${sessionId}/status`)).body.status).toBe("completed");
});
