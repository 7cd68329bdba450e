import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../src/cli/demo/demo-step.ts";
import { runTests } from "../../src/cli/demo/test-count.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { guildhall, startGuildhall } from "../harness/guildhall.ts";
import { processesNaming } from "../harness/processes.ts";
import type { Cleaner } from "../harness/temporary-folder.ts";

type Step<Name extends DemoStep["step"]> = Extract<DemoStep, { step: Name }>;

function stepsIn(stdout: string): DemoStep[] {
  const lines = stdout.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as DemoStep);
}

function ofKind<Name extends DemoStep["step"]>(steps: DemoStep[], name: Name): Step<Name>[] {
  return steps.filter((step): step is Step<Name> => step.step === name);
}

/** A machine's folder for throwaway things, of which the demo must leave nothing. */
function throwaway(later: Cleaner) {
  const TMPDIR = temporaryFolder(later);
  return { env: { TMPDIR }, left: () => readdirSync(TMPDIR), processes: () => processesNaming(TMPDIR) };
}

describe.concurrent("the demo", () => {
  it("mends a repository, hands out work, leaves a result to review, checks all that, and is gone", {
    timeout: 600_000,
  }, async ({ onTestFinished: later }) => {
    const { env, left, processes } = throwaway(later);
    const { code, stdout, stderr } = await guildhall(["demo", "--once", "--json"], { env });
    expect(code, stderr).toBe(0);
    const steps = stepsIn(stdout);
    expect(ofKind(steps, "tests").map(({ moment, failed }) => [moment, failed])).toEqual([
      ["before", 1],
      ["after", 0],
    ]);
    expect(ofKind(steps, "ran").map(({ failed, tests }) => [failed, tests?.failed])).toEqual([
      [true, 1],
      [false, 0],
      [true, 1],
      [false, 0],
    ]);
    const ends = ofKind(steps, "ended").map(({ taskId, roleId, status, state }) => [taskId, roleId, status, state]);
    const fix = ofKind(steps, "started").find(({ title }) => title.includes("Apply the discount only once"))?.taskId;
    expect(ends.filter(([taskId, roleId]) => taskId === fix && roleId === "coder")).toEqual([
      [fix, "coder", "completed", "checking"],
      [fix, "coder", "completed", "checking"],
    ]);
    const readme = ofKind(steps, "started").find(({ title }) => title.includes("Document the cart"))?.taskId;
    expect(ends.filter(([taskId]) => taskId === readme)).toHaveLength(1);
    expect(ofKind(steps, "nudged")).toContainEqual(
      expect.objectContaining({ taskId: readme, roleId: "writer", text: expect.stringContaining("No activity for") }),
    );
    const verdicts = ofKind(steps, "gate").map(({ taskId, verdict, cycle }) => [taskId, verdict, cycle]);
    expect(verdicts.filter(([taskId]) => taskId === fix)).toEqual([
      [fix, "fail", 1],
      [fix, "pass", 2],
    ]);
    expect(ofKind(steps, "approved")).toMatchObject([{ tasks: 2, requirements: 2 }]);
    expect(ofKind(steps, "delivered")).toMatchObject([{ met: 2, requirements: 2 }]);
    expect(ends).toContainEqual(["TASK-001", "lead", "completed", "review"]);
    expect(ends).toContainEqual(["TASK-002", "coder", "failed", expect.anything()]);
    const lead = ofKind(steps, "started").find(({ taskId }) => taskId === "TASK-001")?.runId;
    const helpers = ofKind(steps, "started").filter(({ parentRunId }) => parentRunId === lead);
    expect(helpers.map(({ roleId }) => roleId)).toEqual(["coder", "reviewer"]);
    expect(steps.at(-1)).toMatchObject({ step: "summary", costUsd: 0, review: { runId: lead, files: 3 } });
    expect([left(), processes()]).toEqual([[], []]);
  });

  it("is stopped in order by Ctrl-C in the middle, and says where the files are", { timeout: 600_000 }, async ({
    onTestFinished: later,
  }) => {
    const { env, left, processes } = throwaway(later);
    const demo = startGuildhall(["demo", "--json", "--pace", "30", "--no-build"], { env });
    later(() => demo.signal("SIGKILL"));
    await eventually(
      () => demo.said.stdout,
      (said) => said.includes('"started"'),
      240_000,
    );
    demo.signal("SIGINT");
    const { code, stdout, stderr } = await demo.ended;
    expect([code, stdout.includes('"summary"')]).toEqual([130, false]);
    const [name = ""] = left();
    expect(stderr).toContain(`Files kept in ${join(env.TMPDIR, name)}`);
    expect(processes()).toEqual([]);
  });

  it("stays up with a result to approve, keeps its files, and where no sandbox works does without and says so", {
    timeout: 600_000,
  }, async ({ onTestFinished: later }) => {
    const { env, left, processes } = throwaway(later);
    const PATH = `${withoutSandboxes(later)}:${process.env.PATH}`;
    const demo = startGuildhall(["demo", "--json", "--pace", "0", "--no-build"], { env: { ...env, PATH } });
    later(() => demo.signal("SIGKILL"));
    const said = () => demo.said.stdout;
    const steps = stepsIn(await eventually(said, (text) => text.includes('"summary"'), 500_000));
    if (process.platform === "linux") expect(ofKind(steps, "sandbox")[0]?.name).toBe("none");
    const { url, link, workspace = "", repository = "" } = ofKind(steps, "hall")[0] ?? {};
    expect(link).toMatch(new RegExp(`^${url}/#/enter/\\S+$`));
    const git = (...words: string[]) => execFileSync("git", words, { cwd: repository, encoding: "utf8" });
    expect(git("log", "--format=%s", "--merges", "--first-parent", "main").trim().split("\n")).toHaveLength(1);
    const before = await reviewOf("TASK-001", workspace);
    expect(before).toContain("Test lines with FRIENDS20: (no matches)");
    const runId = ofKind(steps, "summary")[0]?.review.runId ?? "";
    const sent = await guildhall(["run", "request-changes", runId, "-f", "Test the other code too"], { workspace });
    expect(sent.stdout).toMatch(/Your feedback:\s+Test the other code too[\s\S]*can't act on/);
    expect(await reviewOf("TASK-001", workspace)).toContain("test/shipping-codes.test.js:");
    const [next] = JSON.parse((await guildhall(["run", "list", "--review", "--json"], { workspace })).stdout).runs;
    const { hash } = JSON.parse((await guildhall(["run", "diff", next.id, "--json"], { workspace })).stdout);
    const approved = await guildhall(["run", "approve", next.id, "--hash", hash], { workspace });
    expect(approved.code, approved.stderr).toBe(0);
    expect(await runTests(repository)).toEqual({ passed: 13, failed: 0 });
    demo.signal("SIGINT");
    const { code, stderr } = await demo.ended;
    expect([code, left().length, git("status", "--porcelain")]).toEqual([0, 1, ""]);
    expect(stderr).toContain(`Files kept in ${join(env.TMPDIR, left()[0] ?? "")}`);
    expect(processes()).toEqual([]);
  });
});

/** A folder of programs in whose presence no sandbox works. */
function withoutSandboxes(later: Cleaner): string {
  const folder = temporaryFolder(later);
  for (const name of ["bwrap", "setpriv"]) {
    writeFileSync(join(folder, name), "#!/bin/sh\necho broken for a test >&2\nexit 1\n");
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

it("refuses a pace that is none", async () => {
  const { code, stderr } = await guildhall(["demo", "--once", "--pace", "-1"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--pace must be a number of seconds from 0 to 60")]);
});

/** What a reviewer has to say of a task. */
async function reviewOf(taskId: string, workspace: string): Promise<string> {
  const words = ["spawn", "reviewer", "-p", "corner-shop", "--task", taskId];
  const { code, stdout, stderr } = await guildhall(words, { workspace });
  expect([code, /Verdict\s+Approved/.test(stdout)], stderr + stdout).toEqual([0, true]);
  return stdout;
}
