import { rmSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { GateReport } from "../../src/contract/documents/quality/gate.ts";
import { STAGES } from "../../src/contract/words/gate-words.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { placeReport, stages } from "../harness/gate-reports.ts";
import { untilServed } from "../harness/judged-hall.ts";
import { hallOver, type PersonsRepository, repository } from "../harness/repository.ts";
import { PROJECT } from "../harness/spawned-runs.ts";

const ADD = "export const add = (a, b) => a + b;\n";
const testOf = (expected: number) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "./add.js";\ntest("adds", () => assert.equal(add(1, 2), ${expected}));\n`;
const FILES = {
  "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
  "add.js": ADD,
  "add.test.js": testOf(3),
};

let hall: Hall;
let repo: PersonsRepository;
const cleanups: (() => unknown)[] = [];
beforeAll(async () => {
  const later = (clean: () => unknown) => cleanups.push(clean);
  hall = await startHall(undefined, { later });
  repo = repository(FILES, "work", later);
  await hallOver(hall, { root: repo.root, playbooks: {} });
  return async () => {
    for (const clean of cleanups.reverse()) await clean();
  };
});

const judge = async (body: object, query = "wait=60&model=none"): Promise<GateReport> => {
  const made = await hall.call(
    "POST",
    `/api/projects/${PROJECT}/gates?${query}` as `/api/projects/${string}/gates`,
    body,
  );
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.gate;
};
/** A branch with these files changed, off main. */
const branch = (name: string, files: Record<string, string>): string => {
  repo.git("checkout", "--quiet", "-b", name, "main");
  for (const [path, content] of Object.entries(files)) repo.write(path, content);
  repo.git("add", "--all");
  repo.git("commit", "--quiet", "-m", `Feature: ${name}`);
  repo.git("checkout", "--quiet", "main");
  return name;
};
const verdicts = ({ stages }: GateReport) => Object.fromEntries(stages.map(({ name, verdict }) => [name, verdict]));

/** A change that its new test proves: it fails by its assertion on the code before. */
const PROVEN = {
  "add.js": "export const add = (a, b) => Number(a) + Number(b);\n",
  "add.test.js": `${testOf(3)}test("adds texts", () => assert.equal(add("1", "2"), 3));\n`,
};

describe("gates over the API", { timeout: 120_000 }, () => {
  it("pass what works and is proven, with nine stages in their order, and judge it once [S1-QG-01 S1-QG-12 S1-QG-13]", async () => {
    const head = branch("numbers", PROVEN);
    const before = repo.git("count-objects", "-v");
    const gate = await judge({ base: "main", head });
    expect(gate.stages.map(({ name }) => name)).toEqual([...STAGES]);
    expect(verdicts(gate)).toMatchObject({
      syntax: "pass",
      tests: "pass",
      architecture: "skipped",
      completeness: "pass",
    });
    expect(gate).toMatchObject({ state: "finished", verdict: "pass", files: 2, title: "main..numbers", score: 100 });
    expect(gate.key).toBeDefined();
    expect((await judge({ base: "main", head })).id).toBe(gate.id);
    const again = await judge({ base: "main", head }, "wait=60&model=none&force=true");
    expect(again).toMatchObject({ verdict: "pass", tree: gate.tree });
    expect(again.id).not.toBe(gate.id);
    const ran = again.stages.flatMap(({ evidence }) => evidence.filter(({ type }) => type === "command"));
    expect(ran.every((one) => one.type === "command" && one.cached)).toBe(true);
    expect(repo.git("count-objects", "-v")).toBe(before);
    const { events } = (await hall.call("GET", "/api/events/log?tail=200")).body;
    const told = events.filter(({ subject }) => subject.id === gate.id).map(({ type }) => type);
    expect(told).toEqual(["gate.started", "gate.stage", "gate.stage", "gate.stage", "gate.finished"]);
  });

  it("are shared by those who ask for the same at the same time", async () => {
    const head = branch("shared", { "add.js": "export const add = (a, b) => b + a;\n" });
    const both = await Promise.all([judge({ base: "main", head }), judge({ base: "main", head })]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    const { events } = (await hall.call("GET", "/api/events/log?tail=200&type=gate.started")).body;
    expect(events.filter(({ after }) => after?.title === "main..shared")).toHaveLength(1);
  });

  it("do not believe a report that somebody else wrote or edited", async () => {
    const head = branch("edited", { "add.js": "export const add = (a, b) => a * b;\n" });
    const gate = await judge({ base: "main", head });
    expect(gate.verdict).toBe("fail");
    const forged: GateReport = { ...gate, verdict: "pass", score: 100, stages: stages() };
    const path = placeReport(hall.workspace, forged);
    await eventually(
      async () => (await hall.call("GET", `/api/gates/${gate.id}` as "/api/gates/x")).body.gate.verdict,
      (verdict) => verdict === "pass",
    );
    const again = await judge({ base: "main", head });
    expect(again).toMatchObject({ verdict: "fail", key: gate.key });
    expect(again.id).not.toBe(gate.id);
    rmSync(path);
    // Newer than all, so that it would be the first to be found.
    placeReport(hall.workspace, { ...forged, id: `${again.id}x` });
    await untilServed(hall, `${again.id}x`);
    expect((await judge({ base: "main", head })).verdict).toBe("fail");
  });

  it("end early where tests fail, and say which [S1-QG-11 S1-QG-22]", async () => {
    const head = branch("broken", { "add.js": "export const add = (a, b) => a - b;\n" });
    const gate = await judge({ base: "main", head });
    expect(gate).toMatchObject({ verdict: "fail", score: null });
    expect(gate.stages[1]).toMatchObject({
      verdict: "fail",
      score: 0,
      findings: [{ code: "test-failed", file: "add.test.js", blocks: true }],
    });
    expect(gate.stages[2]).toMatchObject({ verdict: "skipped", reason: { code: "early-exit" } });
    const id = gate.stages[1]?.findings[0]?.id ?? "";
    const waived = await hall.call("POST", `/api/gates/${gate.id}/waivers`, { findingId: id, reason: "Known." });
    expect(waived).toMatchObject({ status: 409, body: { error: { code: "gate_refused" } } });
  });

  it("let a person accept what was found, which counts for the same content [S1-QG-13]", async () => {
    const head = branch("unproven", { "add.js": "export const add = (a, b) => b + a;\n", "more.test.js": testOf(3) });
    await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { qualityGates: { proof: "off" } } });
    const gate = await judge({ base: "main", head });
    const found = gate.stages.find(({ name }) => name === "completeness");
    expect(gate.verdict, JSON.stringify(found)).toBe("fail");
    const [finding] = found?.findings.filter(({ blocks }) => blocks) ?? [];
    const unknown = await hall.call("POST", `/api/gates/${gate.id}/waivers`, { findingId: "none", reason: "Why." });
    expect(unknown.status).toBe(404);
    const { body } = await hall.call("POST", `/api/gates/${gate.id}/waivers`, {
      findingId: finding?.id ?? "",
      reason: "Covered elsewhere.",
    });
    expect(body.gate).toMatchObject({ verdict: "pass" });
    expect((await hall.call("GET", `/api/gates/${gate.id}`)).body.gate).toEqual(body.gate);
    const again = await judge({ base: "main", head }, "wait=60&model=none&force=true");
    expect(again.verdict).toBe("pass");
    const waived = again.stages.flatMap(({ findings }) => findings).find(({ id }) => id === finding?.id);
    expect(waived).toMatchObject({ state: "waived", waiver: { reason: "Covered elsewhere." } });
  });

  it("judge uncommitted files, and nothing where nothing was changed", async () => {
    expect(await judge({})).toMatchObject({
      verdict: "skipped",
      reason: { code: "no-changes" },
      title: "Uncommitted changes",
    });
    for (const [path, content] of Object.entries(PROVEN)) repo.write(path, content);
    const gate = await judge({});
    expect(gate).toMatchObject({ verdict: "pass", files: 2 });
    expect(gate.head).toBeUndefined();
    repo.git("checkout", "--quiet", ".");
  });

  it("say what they would run, and write nothing", async () => {
    const listed = async () => (await hall.call("GET", `/api/projects/${PROJECT}/gates`)).body.gates.length;
    const before = await listed();
    const gate = await judge({ base: "main", head: "broken" }, "dryRun=true");
    expect(gate).toMatchObject({ verdict: "skipped", reason: { code: "dry-run" }, files: 1 });
    expect(gate.stages[1]?.evidence).toEqual([{ type: "note", text: "Would run: node --test" }]);
    expect(await listed()).toBe(before);
    const { checks, settings } = (await hall.call("GET", `/api/projects/${PROJECT}/checks`)).body;
    expect(checks).toContainEqual(expect.objectContaining({ check: "tests", tool: "node --test" }));
    expect(settings).toMatchObject({ passThreshold: 90, proof: "off" });
  });

  it("can be cancelled, and refuse what is no revision", async () => {
    const config = { qualityGates: { commands: { tests: "sleep 600" } } };
    await hall.call("PUT", `/api/projects/${PROJECT}`, { config });
    const begun = await judge({ base: "main", head: "numbers" }, "model=none");
    expect(begun).toMatchObject({ state: "running" });
    expect(begun.verdict).toBeUndefined();
    const { body } = await hall.call("POST", `/api/gates/${begun.id}/cancel`);
    expect(body.gate).toMatchObject({ state: "finished", verdict: "unable", reason: { code: "cancelled" } });
    expect((await hall.call("POST", `/api/gates/${begun.id}/cancel`)).body.gate).toEqual(body.gate);
    await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { qualityGates: { commands: null } } });
    const { settings } = (await hall.call("GET", `/api/projects/${PROJECT}/checks`)).body;
    expect(settings).toMatchObject({ commands: {}, proof: "off" });
    for (const bad of [{ base: "nowhere" }, { head: "-x" }, { runId: "run-none" }]) {
      const refused = await hall.call("POST", `/api/projects/${PROJECT}/gates`, bad);
      expect(refused.status, JSON.stringify(bad)).toBeGreaterThanOrEqual(400);
    }
  });
});
