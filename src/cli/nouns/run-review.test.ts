import { describe, expect, it } from "vitest";
import { type ApiRequest, ok } from "../../../test/fakes/api.ts";
import { run } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { RunDiff } from "../../contract/runs/run.ts";

const ID = "run-01m7fde4br0000fr579tsj";
const HASH = "2f1c0e7d9a5b4c3d8e6f7a8b9c0d1e2f";
const branch = { kind: "branch" as const, name: "guildhall/TASK-001-x", target: "main", state: "review" as const };
const DIFF = [
  "diff --git a/a.txt b/a.txt",
  "--- a/a.txt",
  "+++ b/a.txt",
  "@@ -1,2 +1,2 @@",
  "-a",
  "+\u001b[31mred\u202e",
  "-end",
  "+end\r",
  "diff --git a/b.bin b/b.bin",
  "GIT binary patch",
  "literal 3",
  "KcmZQzWc",
  "",
].join("\n");

const shown = (changes: Partial<RunDiff> = {}): RunDiff => ({
  runId: ID,
  delivery: branch,
  base: "b",
  head: "h",
  hash: HASH,
  files: [
    { path: "a.txt", additions: 12, deletions: 1, binary: false },
    { path: "b.bin", additions: 0, deletions: 0, binary: true },
  ],
  diff: DIFF,
  truncated: false,
  controlFiles: [],
  ...changes,
});

const server =
  (diff: RunDiff = shown()) =>
  ({ path }: ApiRequest) =>
    ok(
      path.endsWith("/diff")
        ? diff
        : { success: true, run: run({ id: ID, delivery: { ...branch, state: "delivered" } }) },
    );

const TERMINAL = { terminal: 40 };

describe("run diff", () => {
  it("has colours on a terminal, breaks no line, and shows nothing that a terminal would act on", async () => {
    const { out } = await runCli(["run", "diff", ID], server(), TERMINAL);
    expect(out).toContain("\u001b[32m+12\u001b[39m \u001b[31m-1\u001b[39m  a.txt");
    expect(out).toContain("\u001b[36m@@ -1,2 +1,2 @@\u001b[39m");
    expect(out).toContain("\u001b[32m+␛[31mred\\u202e\u001b[39m");
    expect(out).toContain(`Approve with: guildhall run approve ${ID} --hash ${HASH}`);
  });

  it("tells a line from one with another end, and leaves out what binary files hold", async () => {
    const { out } = await runCli(["run", "diff", ID], server());
    expect(out).toContain("-end\n+end␍\n");
    expect(out).toContain("diff --git a/b.bin b/b.bin\n(binary)\n");
    expect(out).not.toContain("KcmZQzWc");
    expect(JSON.parse((await runCli(["run", "diff", ID, "--json"], server())).out).diff).toBe(DIFF);
  });

  it("shows the first lines of a long one on a terminal, all of it in a pipe and with --full", async () => {
    const long = server(shown({ diff: Array.from({ length: 2_500 }, (_, at) => `+line ${at}`).join("\n") }));
    const cut = await runCli(["run", "diff", ID, "--no-color"], long, TERMINAL);
    expect(cut.out).toContain("+line 1999\n");
    expect(cut.out).not.toContain("+line 2000");
    expect(cut.out).toContain(`500 more lines. Show them with 'guildhall run diff ${ID} --full'.`);
    for (const [words, choice] of [
      [["--full"], TERMINAL],
      [[], {}],
    ] as const)
      expect((await runCli(["run", "diff", ID, "--no-color", ...words], long, choice)).out).toContain("+line 2499\n");
  });
});

describe("the diff of a run that changed nothing", () => {
  it("says so, and can be approved", async () => {
    const nothing = shown({ base: "", head: "", files: [], diff: "" });
    const { out } = await runCli(["run", "diff", ID], server(nothing));
    expect(out.split("\n").slice(1, 4)).toEqual(["", "No changes.", `hash ${HASH}`]);
    expect(out).toContain(`Approve with: guildhall run approve ${ID} --hash ${HASH}`);
    expect(out).toContain(`Request changes with: guildhall run request-changes ${ID} `);
  });
});

describe("run approve without a hash", () => {
  it("shows a person the diff, asks, and approves exactly what was shown", async () => {
    const { out, requests, code } = await runCli(["run", "approve", ID], server(), { ...TERMINAL, reply: "y" });
    expect(code).toBe(0);
    expect(out).toContain("@@ -1,2 +1,2 @@");
    expect(out).not.toContain("Approve with");
    expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["GET", `/api/runs/${ID}/diff`, undefined],
      ["POST", `/api/runs/${ID}/approve`, { hash: HASH }],
      // For the command that pushes it.
      ["GET", `/api/runs/${ID}/diff`, undefined],
    ]);
  });

  it("merges nothing without a yes, and asks nobody where nobody looks", async () => {
    const no = await runCli(["run", "approve", ID], server(), { ...TERMINAL, reply: "" });
    expect([no.code, no.requests.length, no.err]).toEqual([0, 1, expect.stringContaining("Not approved.")]);
    for (const [words, choice] of [
      [[], {}],
      [["--json"], { ...TERMINAL, reply: "y" }],
    ] as const) {
      const refused = await runCli(["run", "approve", ID, ...words], server(), choice);
      expect([refused.code, refused.requests.length]).toEqual([2, 0]);
    }
  });
});
