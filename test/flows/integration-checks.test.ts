import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { IntegrationCheck } from "../../src/contract/documents/quality/integration-check.ts";
import { FORMAT } from "../../src/contract/format.ts";
import { eventsOf } from "../harness/board.ts";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const FILES = {
  "package.json": JSON.stringify({ type: "module", main: "add.js", scripts: { test: "node --test" } }),
  "add.js": "export const add = (a, b) => a + b;\n",
  "add.test.js":
    'import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "./add.js";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
};

const tested = (name: string, check: string) =>
  `import test from "node:test";\nimport assert from "node:assert";\nimport * as it from "./${name}.js";\ntest("${name}", () => ${check});\n`;
/** Each works for itself; the second expects what the first takes away. */
const TOGETHER = {
  first: writing({
    "add.js": `${FILES["add.js"]}export const double = (a) => a * 2;\n`,
    "double.test.js": tested("add", "assert.equal(it.double(2), 4)"),
  }),
  second: writing({ "names.test.js": tested("add", 'assert.deepEqual(Object.keys(it), ["add"])') }),
};

let hall: Hall;
let repo: PersonsRepository;
beforeAll(async () => {
  const cleanups: (() => unknown)[] = [];
  const later = (clean: () => unknown) => cleanups.push(clean);
  hall = await startHall(undefined, { later });
  repo = repository(FILES, "work", later);
  const playbooks = { notes: writing({ "notes.md": "x\n" }), ...TOGETHER };
  await hallOver(hall, { root: repo.root, playbooks, config: { constraints: { requireReview: true } } });
  return async () => {
    for (const clean of cleanups.reverse()) await clean();
  };
});

const checked = (body: object) =>
  hall.call(
    "POST",
    `/api/projects/${PROJECT}/integration-checks?wait=60` as `/api/projects/${string}/integration-checks`,
    body,
  );
const branch = (name: string, files: Record<string, string>) => {
  repo.git("checkout", "--quiet", "-b", name, "main");
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  repo.git("add", "--all");
  repo.git("commit", "--quiet", "-m", name);
  repo.git("checkout", "--quiet", "main");
  return name;
};
const toldOf = async (id: string): Promise<string[]> => {
  const events = await eventsOf(hall);
  return events.filter(({ subject }) => subject.id === id).map(({ type }) => type);
};

const cli = (...words: string[]) => commandLine(["integration", ...words], { workspace: hall.workspace });

describe("integration checks", { timeout: 120_000 }, () => {
  it("[S1-IG-06] [S1-ACT-16] [S1-ACT-17] pass a branch that works, as a document and with events", async () => {
    const made = await checked({ branch: branch("good", { "add.js": "export const add = (a, b) => b + a;\n" }) });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const check: IntegrationCheck = made.body.check;
    expect(check, JSON.stringify(check)).toMatchObject({
      state: "finished",
      verdict: "pass",
      branch: "good",
      runIds: [],
    });
    expect(check.steps.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["typecheck", "pass"],
      ["conflicts", "pass"],
      ["tests", "pass"],
      ["wiring", "pass"],
    ]);
    expect((await toldOf(check.id)).toSorted()).toEqual(["integration.passed", "integration.started"]);
    const folder = join(hall.workspace, "projects", PROJECT, "gates");
    const days = readdirSync(folder).filter((name) => existsSync(join(folder, name, `${check.id}.json`)));
    const file = JSON.parse(readFileSync(join(folder, days[0] ?? "", `${check.id}.json`), "utf8"));
    expect(file).toEqual({ ...check, format: FORMAT });
    const listed = (await hall.call("GET", `/api/projects/${PROJECT}/integration-checks`)).body.checks;
    expect(listed.map(({ id }: IntegrationCheck) => id)).toContain(check.id);
    expect((await cli("list", "-p", PROJECT)).stdout).toContain(check.id);
    expect((await cli("show", check.id)).stdout).toMatch(/^Passed: good/);
  });

  it("[S1-IG-10] [S1-ACT-18] fail one with a file that nothing imports, until a person accepts it by name and reason", async () => {
    const asked = await cli("check", branch("unused", { "unused.js": "export const unused = 1;\n" }), "-p", PROJECT);
    expect([asked.code, asked.stdout]).toEqual([1, expect.stringMatching(/^Failed: unused[\s\S]*unused\.js/)]);
    const { check } = (await checked({ branch: branch("dead", { "dead.js": "export const dead = 1;\n" }) })).body;
    expect(check.verdict).toBe("fail");
    expect(await toldOf(check.id)).toContain("integration.failed");
    const finding = check.steps.flatMap((step) => step.findings)[0];
    expect([finding?.code, finding?.file]).toEqual(["unwired", "dead.js"]);
    const body = { findingId: finding?.id ?? "", reason: "Next release." };
    const waived = await hall.call("POST", `/api/integration-checks/${check.id}/waivers`, body);
    expect(waived.status, JSON.stringify(waived.body)).toBe(200);
    const after = (await hall.call("GET", `/api/integration-checks/${check.id}`)).body.check;
    expect(after.verdict).toBe("pass");
    expect(JSON.stringify(after)).toContain("Next release.");
    const unknown = await hall.call("POST", `/api/integration-checks/${check.id}/waivers`, { ...body, findingId: "x" });
    expect(unknown.body.error.code).toBe("finding_not_found");
  });

  it("[S1-IG-01] are refused before every run has passed its own gate, and say which", async () => {
    const id = await spawnRun(hall, "notes", "Write notes");
    await untilOver(hall, id);
    const refused = await checked({ runIds: [id] });
    expect([refused.status, refused.body.error.code]).toEqual([409, "gate_refused"]);
    expect(refused.body.error.message).toContain((await runOf(hall, id)).taskId);
  });

  it("[S1-IG-01] [S1-IG-05] find the run that breaks the whole though every run passed its own gate", async () => {
    const finished = async (playbook: string, task: object) => {
      const id = await spawnRun(hall, playbook, "Work", { task: { title: "Work", ...task } });
      await untilOver(hall, id);
      const query = "wait=60&model=none";
      const path = `/api/projects/${PROJECT}/gates?${query}` as `/api/projects/${string}/gates`;
      const { gate } = (await hall.call("POST", path, { runId: id })).body;
      expect(gate.verdict, JSON.stringify(gate)).toBe("pass");
      return id;
    };
    const [first, second] = [await finished("first", { type: "feature" }), await finished("second", { type: "test" })];
    const alone = (await checked({ runIds: [first] })).body.check;
    expect(alone.verdict, JSON.stringify(alone)).toBe("pass");
    // Put together in the order in which they were started, whatever the request says.
    const { check } = (await checked({ runIds: [second, first] })).body;
    expect([check.verdict, check.runIds, check.firstBroken]).toEqual(["fail", [first, second], second]);
    expect(check.breakers.map(({ runId }) => runId)).toEqual([second]);
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  it("refuse branches that do not exist, and options in the place of one", async () => {
    for (const name of ["nowhere", "--all"]) expect((await checked({ branch: name })).status).toBe(422);
    expect((await checked({})).status).toBe(422);
    expect((await checked({ branch: "main", runIds: ["run-1"] })).status).toBe(422);
  });
});
