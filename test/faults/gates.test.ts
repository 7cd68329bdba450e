import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, spawnHall } from "../harness/daemon.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { PROJECT } from "../harness/spawned-runs.ts";

const FILES = { "package.json": JSON.stringify({ type: "module" }), "a.js": "export const a = 1;\n" };

describe("a daemon killed while a gate runs", () => {
  it("ends the gate as not judged, and answers who asks again with the same key with the same gate", {
    timeout: 180_000,
  }, async () => {
    const repo = repository(FILES);
    repo.write("a.js", "export const a = 2;\n");
    const first = await spawnHall();
    const config = { qualityGates: { commands: { tests: "sleep 600" } } };
    await hallOver(first, { root: repo.root, config, playbooks: {} });
    const ask = (hall: Hall, key = "once") =>
      hall.call("POST", `/api/projects/${PROJECT}/gates?model=none`, {}, { "idempotency-key": key });
    const made = await ask(first);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body.gate;
    const syntax = async (hall: Hall) => (await hall.call("GET", `/api/gates/${id}`)).body.gate.stages[0]?.verdict;
    await eventually(
      () => syntax(first),
      (verdict) => verdict === "pass",
      60_000,
    );
    await first.kill();
    const second = await spawnHall(first.workspace);
    const { gate } = (await second.call("GET", `/api/gates/${id}`)).body;
    expect(gate).toMatchObject({ state: "finished", verdict: "unable", score: null, reason: { code: "interrupted" } });
    const again = await ask(second);
    expect(again).toMatchObject({ status: 201, body: { gate: { id, verdict: "unable" } } });
    const { gates } = (await second.call("GET", `/api/projects/${PROJECT}/gates`)).body;
    expect(gates.map((line) => [line.id, line.verdict])).toEqual([[id, "unable"]]);
    // What was not judged is judged when it is asked for anew.
    const anew = await ask(second, "anew");
    expect(anew.body.gate).toMatchObject({ state: "running" });
    await second.call("POST", `/api/gates/${anew.body.gate.id}/cancel`);
    const scratch = join(second.workspace, ".guildhall/gates");
    await eventually(
      async () => (existsSync(scratch) ? readdirSync(scratch) : []),
      ({ length }) => length <= 1,
    );
    expect((await second.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  });

  it("ends an integration check as not judged, and answers the same key with the same check", {
    timeout: 180_000,
  }, async () => {
    const repo = repository(FILES);
    const first = await spawnHall();
    const config = { qualityGates: { commands: { syntax: "sleep 600" } } };
    await hallOver(first, { root: repo.root, config, playbooks: {} });
    const ask = (hall: Hall) =>
      hall.call(
        "POST",
        `/api/projects/${PROJECT}/integration-checks`,
        { branch: "main" },
        { "idempotency-key": "once" },
      );
    const made = await ask(first);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { check: { state: "running" } } });
    const { id } = made.body.check;
    await first.kill();
    const second = await spawnHall(first.workspace);
    const { check } = (await second.call("GET", `/api/integration-checks/${id}`)).body;
    expect(check).toMatchObject({ state: "finished", verdict: "unable", reason: { code: "interrupted" } });
    expect((await ask(second)).body.check.id).toBe(id);
    expect((await second.call("GET", `/api/projects/${PROJECT}/integration-checks`)).body.checks).toHaveLength(1);
  });
});
