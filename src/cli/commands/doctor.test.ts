import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ok, refused } from "../../../test/fakes/api.ts";
import { problem, status } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import { fakeHost } from "../../../test/fakes/cli-host.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem, Status } from "../../contract/routes.ts";
import { nodeCheck } from "../health-checks.ts";
import { runCommandLine } from "../run.ts";

const daemon =
  (problems: Problem[], of: Partial<Status> = {}) =>
  ({ path }: { path: string }) =>
    path === "/api/status" ? ok(status(of)) : path === "/api/problems" ? ok({ problems }) : undefined;

describe("doctor with a daemon", () => {
  it("is content with a healthy hall", async () => {
    const { code, out } = await runCli(["doctor"], daemon([]));
    expect(code).toBe(0);
    expect(out).toContain("All is well.");
    expect(out).not.toMatch(/failed|warning/);
  });

  it("ends with 7 and names file, line and reason of what is invalid", async () => {
    const { code, out } = await runCli(["doctor"], daemon([problem()]));
    expect(code).toBe(7);
    expect(out).toContain("invalid: projects/shop/TASKS/todo/TASK-009.md:4  status: must be one of pending, done");
  });

  it("stays healthy with warnings", async () => {
    const { code, out } = await runCli(
      ["doctor"],
      daemon([problem({ severity: "warning" })], { containment: "realpath" }),
    );
    expect(code).toBe(0);
    expect(out).toContain("1 warning");
    expect(out).toMatch(/warning +containment/);
  });

  it("answers with one document under --json", async () => {
    const { out } = await runCli(["doctor", "--json"], daemon([problem()]));
    expect(JSON.parse(out)).toMatchObject({
      healthy: false,
      checks: expect.arrayContaining([expect.objectContaining({ name: "token", state: "ok" })]),
      problems: [problem()],
    });
  });

  it("takes a daemon that refuses it for a failure", async () => {
    const { code, out } = await runCli(["doctor"], () => refused("unauthorized", 401));
    expect(code).toBe(7);
    expect(out).toMatch(/failed +daemon +refused with unauthorized/);
  });
});

describe("doctor without a daemon", () => {
  let workspace: string;

  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), "guildhall-doctor-"));
    mkdirSync(join(workspace, ".guildhall"), { mode: 0o700 });
    writeFileSync(join(workspace, ".guildhall", "token"), "secret", { mode: 0o600 });
  });

  afterEach(() => rmSync(workspace, { recursive: true, force: true }));

  async function examine(): Promise<{ code: number; out: string }> {
    const checkConfig = () => {
      throw new HallError("config_invalid", "config.yml is not valid", { file: "config.yml", line: 1 });
    };
    const host = fakeHost({ daemon: { checkConfig } });
    return { code: await runCommandLine(["doctor", "--workspace", workspace], host), out: host.printed.out };
  }

  it("looks at what there is, and does not take a resting daemon for a fault", async () => {
    const { code, out } = await examine();
    expect(code).toBe(0);
    expect(out).toMatch(/unknown +daemon/);
  });

  it.each([
    [
      "a token that others can read",
      () => chmodSync(join(workspace, ".guildhall", "token"), 0o644),
      /failed +token .*0644.*\n.*hint: chmod 600/,
    ],
    [
      "a folder of secrets that others can enter",
      () => chmodSync(join(workspace, ".guildhall"), 0o755),
      /failed +secrets .*0755/,
    ],
    [
      "a config.yml that is not text",
      () => writeFileSync(join(workspace, "config.yml"), Buffer.from([0xff, 0xfe])),
      /failed +config/,
    ],
    [
      "a config.yml that would stop a start",
      () => writeFileSync(join(workspace, "config.yml"), "server: 1"),
      /failed +config +config.yml is not valid \(config.yml:1\)\n.*hint: Correct config.yml/,
    ],
    ["a config.yml that is a folder", () => mkdirSync(join(workspace, "config.yml")), /failed +config/],
    ["no workspace", () => rmSync(workspace, { recursive: true }), /failed +workspace .*\n.*guildhall up --workspace/],
  ])("finds %s", async (_, spoil, finding) => {
    spoil();
    const { code, out } = await examine();
    expect(code).toBe(7);
    expect(out).toMatch(finding);
  });
});

describe("the check of Node's version", () => {
  it("wants 24", () => {
    expect(nodeCheck("24.0.0").state).toBe("ok");
    expect(nodeCheck("22.19.0").state).toBe("failed");
  });
});
