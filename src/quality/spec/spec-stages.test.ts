import { describe, expect, it } from "vitest";
import { MemoryTrees } from "../../../test/fakes/memory-trees.ts";
import { PlayedChecks } from "../../../test/fakes/played-checks.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import type { Task } from "../../contract/documents/task.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { GateSubject } from "../gates/subject.ts";
import { rolloutSafety } from "./rollout-safety.ts";
import { requirementsOf, specCompliance, traceability } from "./spec-stages.ts";

const SPEC = "## REQ-001: Totals\n## REQ-002: Remove\n## REQ-003: Undo\n## REQ-004: Taxes\n";

interface Given {
  files: Record<string, string>;
  before?: Record<string, string>;
  spec?: string | undefined;
  task?: Partial<Task>;
  commits?: string[];
  settings?: Partial<QualityGates>;
}

async function subjectOf({ files, before = {}, spec, task, commits = [], settings = {} }: Given): Promise<GateSubject> {
  const trees = new MemoryTrees();
  trees.commits = commits.map((message, at) => ({ commit: `c${at}`, message }));
  const [baseTree, tree] = [trees.add(before), trees.add(files)];
  const blank = { id: "TASK-001", title: "", description: "", acceptanceCriteria: [], labels: [], notes: "" };
  return {
    ...{ trees, base: baseTree, baseTree, head: "head", tree, cycle: 1, type: "feature", spec },
    checks: new PlayedChecks(trees, () => []),
    changes: await trees.changes(baseTree, tree),
    settings: { ...QualityGates.parse({ spec: "SPEC.md" }), ...settings },
    ...(task === undefined ? {} : { task: { ...blank, ...task } as Task }),
    signal: new AbortController().signal,
  };
}

const FILES = {
  "SPEC.md": SPEC,
  "src/cart.ts": "// REQ-001: totals\n// REQ-002\n",
  "src/cart.test.ts": 'it("adds [REQ-001]", () => {});\n// REQ-003\n',
};

describe("spec compliance and traceability", () => {
  it("[S1-QG-08] scores (full + half of partial) / total and names what is missing", async () => {
    const outcome = await specCompliance(
      await subjectOf({ files: FILES, spec: SPEC, commits: ["Add undo (REQ-003)"] }),
    );
    // Full: REQ-001, and REQ-003 by test and commit. Partial: REQ-002. Missing: REQ-004.
    expect([outcome.verdict, outcome.score]).toEqual(["fail", 62.5]);
    expect(outcome.findings.map(({ code, requirements, blocks }) => [code, requirements, blocks])).toEqual([
      ["requirement-partial", ["REQ-002"], false],
      ["requirement-missing", ["REQ-004"], true],
    ]);
  });

  it("[S1-QG-08] passes at 70 and does not block because of what is missing then", async () => {
    const files = { ...FILES, "src/more.test.ts": "// REQ-002 REQ-003\n", "src/more.ts": "// REQ-003\n" };
    const outcome = await specCompliance(await subjectOf({ files, spec: SPEC }));
    expect([outcome.verdict, outcome.score]).toEqual(["pass", 75]);
    expect(outcome.findings.map(({ code, severity, blocks }) => [code, severity, blocks])).toEqual([
      ["requirement-missing", "medium", false],
    ]);
  });

  it("[S1-QG-09] traces requirements to code and tests alone", async () => {
    const outcome = await traceability(await subjectOf({ files: FILES, spec: SPEC, commits: ["REQ-004"] }));
    // Linked: REQ-001. Partial: REQ-002 and REQ-003. Missing: REQ-004, whatever commits say.
    expect([outcome.verdict, outcome.score]).toEqual(["fail", 50]);
    expect(outcome.findings.map(({ severity, requirements }) => [severity, requirements])).toEqual([
      ["low", ["REQ-002"]],
      ["low", ["REQ-003"]],
      ["high", ["REQ-004"]],
    ]);
  });

  it("[S1-QG-08] [S1-QG-09] are skipped without a spec, and say so", async () => {
    for (const spec of [undefined, "# Nothing required\n"])
      for (const judge of [specCompliance, traceability])
        expect(await judge(await subjectOf({ files: FILES, spec }))).toMatchObject({
          ...{ verdict: "skipped", score: null, reason: { code: "no-spec" } },
        });
  });

  it("look only at the requirements that a task names", async () => {
    const task = { title: "Totals", acceptanceCriteria: [{ text: "REQ-001 holds", done: false }] };
    const outcome = await traceability(await subjectOf({ files: FILES, spec: SPEC, task }));
    expect([outcome.verdict, outcome.score]).toEqual(["pass", 100]);
  });

  it("trace the code that a team's task changes by its plan, and tests by what they name", async () => {
    const files = { "src/cart.ts": "1;\n", "src/cart.test.ts": "// REQ-001\n" };
    const run = { team: { id: "team-1" } } as Run;
    const traces = async (of: Record<string, string>) =>
      (await requirementsOf({ ...(await subjectOf({ files: of, spec: SPEC })), run })).map(({ trace }) => trace);
    expect(await traces(files)).toEqual(["linked", "partial", "partial", "partial"]);
    // A test is no code.
    expect(await traces({ "src/cart.test.ts": "// REQ-001\n" })).toEqual(["partial", "missing", "missing", "missing"]);
  });

  it("tell tests inside of Rust code from the code", async () => {
    const files = { "src/lib.rs": "// REQ-001\nfn a() {}\n#[cfg(test)]\nmod tests {\n    // REQ-001 REQ-002\n}\n" };
    const covered = await requirementsOf(await subjectOf({ files, spec: SPEC }));
    expect(covered.map(({ trace }) => trace)).toEqual(["linked", "partial", "missing", "missing"]);
  });

  it("[S1-MOD-10] put into the report what names each requirement", async () => {
    const { evidence } = await specCompliance(await subjectOf({ files: FILES, spec: SPEC, commits: ["REQ-003"] }));
    expect(evidence).toEqual([
      {
        type: "note",
        text: [
          "4 requirements: 2 full, 1 partial, 1 missing.",
          "REQ-001 Totals: full; code: src/cart.ts; tests: src/cart.test.ts",
          "REQ-002 Remove: partial; code: src/cart.ts",
          "REQ-003 Undo: full; tests: src/cart.test.ts; texts: c0",
          "REQ-004 Taxes: missing",
        ].join("\n"),
      },
    ]);
  });
});

describe("rollout safety", () => {
  const settings = { rolloutSafety: true };
  const messages = async (given: Given) => {
    const { verdict, findings } = await rolloutSafety(await subjectOf({ settings, ...given }));
    return [verdict, ...findings.map(({ message }) => message)];
  };

  it("[S1-QG-10] is skipped unless it is turned on", async () => {
    const outcome = await rolloutSafety(await subjectOf({ files: {}, settings: {} }));
    expect(outcome).toMatchObject({ verdict: "skipped", score: null, reason: { code: "disabled" } });
  });

  it("[S1-QG-10] needs a rollback note in the spec or the task", async () => {
    const files = { "src/a.ts": "export const a = 1;\n" };
    expect(await messages({ files })).toEqual(["fail", expect.stringContaining("how to roll this change back")]);
    expect(await messages({ files, spec: "## Rollback\nTurn the flag off.\n" })).toEqual(["pass"]);
    expect(await messages({ files, task: { description: "Can be rolled back by a deploy." } })).toEqual(["pass"]);
  });

  it.each([
    ["migrations/001.sql", undefined, "create table a();", "no way back"],
    ["migrations/001.sql", undefined, "-- migrate:down\ndrop table a;", undefined],
    ["db/migrate/1.rb", undefined, "def change\nend", undefined],
    ["alembic/versions/1.py", undefined, "def upgrade(): pass\ndef downgrade(): pass\n", undefined],
    ["src/api.ts", "export const a = 1;\nexport function b() {}\n", "export const a = 2;\n", "'b'"],
    ["cart.go", "func Total() {}\nfunc sum() {}\n", "", "'Total'"],
    ["lib.rs", "pub fn total() {}\n", "fn total() {}\n", "'total'"],
    ["app.py", '@app.route("/cart")\ndef cart(): pass\n', "def cart(): pass\n", "'/cart'"],
    ["server.ts", 'app.get("/cart", a);\n', 'app.get("/cart", b);\n', undefined],
    [".env.example", "URL=\nKEY=\n", "URL=\n", "'KEY'"],
  ])("[S1-QG-10] looks at %s from %j to %j: %s", async (path, before, after, expected) => {
    const found = await messages({
      before: before === undefined ? {} : { [path]: before },
      files: { [path]: after },
      spec: "Rollback: deploy the last version.",
    });
    expect(found).toEqual(expected === undefined ? ["pass"] : ["pass", expect.stringContaining(expected)]);
    const without = await messages({
      before: before === undefined ? {} : { [path]: before },
      files: { [path]: after },
    });
    expect(without[0]).toBe("fail");
  });

  it("takes a file beside an up migration for its way back", async () => {
    const files = { "migrations/1.up.sql": "create table a();", "migrations/1.down.sql": "drop table a;" };
    expect(await messages({ files, spec: "Rollback: run it." })).toEqual(["pass"]);
  });
});
