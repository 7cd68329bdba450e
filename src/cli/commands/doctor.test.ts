import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ok, refused } from "../../../test/fakes/api.ts";
import { models, problem, status } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import { fakeHost } from "../../../test/fakes/cli-host.ts";
import { HallError } from "../../contract/errors.ts";
import type { Status } from "../../contract/hall-routes.ts";
import type { ModelsReport } from "../../contract/model-routes.ts";
import type { Problem } from "../../contract/problem.ts";
import type { RouteResponse } from "../../contract/routes.ts";
import { nodeCheck } from "../health-checks.ts";
import { runCommandLine } from "../run.ts";

interface Told {
  status?: Partial<Status>;
  models?: Partial<ModelsReport>;
  test?: RouteResponse<"testModel">;
}

const daemon =
  (problems: Problem[], told: Told = {}) =>
  ({ path }: { path: string }) => {
    if (path === "/api/status") return ok(status(told.status));
    if (path === "/api/models") return ok(models(told.models));
    if (path === "/api/models/test") return ok(told.test);
    return path === "/api/problems" ? ok({ problems }) : undefined;
  };

describe("doctor with a daemon", () => {
  it("is content with a healthy hall", async () => {
    const { code, out } = await runCli(["doctor"], daemon([], { models: { default: "own/m" } }));
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
      daemon([problem({ severity: "warning" })], { status: { containment: "realpath" } }),
    );
    expect(code).toBe(0);
    expect(out).toContain("1 warning");
    expect(out).toMatch(/warning +containment/);
    expect(out).toMatch(/\nNothing is broken, but see the warnings above\.\n$/);
  });

  it("gives runs that wait a line of their own, which is about no file", async () => {
    const waits = problem({
      kind: "run",
      file: "config.yml",
      severity: "warning",
      reason: "run r waits for budget: x",
    });
    const { code, out } = await runCli(["doctor"], daemon([waits]));
    expect(code).toBe(0);
    expect(out).toMatch(/ok +files +every file can be read\nwarning +runs +run r waits for budget: x\n/);
    expect(out).not.toMatch(/config\.yml {2}|All is well/);
  });

  it("answers with one document under --json", async () => {
    const { out } = await runCli(["doctor", "--json"], daemon([problem()]));
    expect(JSON.parse(out)).toMatchObject({
      healthy: false,
      checks: expect.arrayContaining([expect.objectContaining({ name: "token", state: "ok" })]),
      problems: [problem()],
      models: models(),
    });
  });

  it("takes a daemon that refuses it for a failure", async () => {
    const { code, out } = await runCli(["doctor"], () => refused("unauthorized", 401));
    expect(code).toBe(7);
    expect(out).toMatch(/failed +daemon +refused with unauthorized/);
  });
});

describe("doctor and the models", () => {
  it("says that only the offline model is there, and how to get another", async () => {
    const { code, out } = await runCli(["doctor"], daemon([], { models: { playbooks: ["demo"] } }));
    expect(code).toBe(0);
    expect(out).toMatch(
      /warning +model +only the offline model offline\/rehearsal, .*no provider was found; playbooks: demo\n +hint: .*ANTHROPIC_API_KEY.*Ollama/,
    );
  });

  it("advises a default where there is a provider but none of its models was chosen", async () => {
    const providers = [
      { name: "own", kind: "openai-compatible", source: "config", key: false, baseUrl: "http://o/v1" },
    ];
    const { out } = await runCli(["doctor"], daemon([], { models: { providers } }));
    expect(out).toMatch(/warning +model +only the offline .*\n +hint: .*models\.default.*own\/MODEL/);
    expect(out).not.toContain("ANTHROPIC_API_KEY");
  });

  it("names every provider with where it and its key came from", async () => {
    const providers = [
      { name: "anthropic", kind: "anthropic", source: "environment", key: true, keyNames: ["ANTHROPIC_API_KEY"] },
      {
        name: "own",
        kind: "openai-compatible",
        source: "config",
        key: false,
        keyNames: ["OWN_KEY"],
        baseUrl: "http://o/v1",
      },
      {
        name: "ollama",
        kind: "openai-compatible",
        source: "local",
        key: false,
        baseUrl: "http://l/v1",
        models: ["qwen3"],
      },
    ];
    const found = { default: "anthropic/claude", providers };
    const { code, out } = await runCli(["doctor"], daemon([], { models: found }));
    expect(code).toBe(0);
    expect(out.split("\n").slice(-7)).toEqual([
      "ok       model        anthropic/claude is the default",
      "ok       provider     anthropic (anthropic) found by its key, key from ANTHROPIC_API_KEY",
      "warning  provider     own (openai-compatible at http://o/v1) from config.yml, without a key",
      expect.stringContaining(
        "hint: Put it into OWN_KEY, in the environment or in .guildhall/secrets of the workspace, then stop",
      ),
      "ok       provider     ollama (openai-compatible at http://l/v1) found on this machine, needs no key, with qwen3",
      "Nothing is broken, but see the warnings above.",
      "",
    ]);
  });

  it("names the ranks whose model cannot be asked", async () => {
    const { team } = models();
    const ranks = {
      ...team.ranks,
      head: { model: "x/y", because: "the preset budget", problem: "there is no provider" },
    };
    const { out } = await runCli(["doctor"], daemon([], { models: { team: { ranks } } }));
    expect(out).toMatch(/warning +rank +head: x\/y \(the preset budget\): there is no provider\n/);
  });

  it.each([
    [
      "what it said, how long it took and what it cost",
      { ok: true, ms: 12, text: "Hello", costUsd: 0.00003 },
      0,
      /ok +test +x\/y answered in 12 ms, it cost \$0\.00003: Hello/,
    ],
    [
      "that its price is not known",
      { ok: true, ms: 12, text: "Hello", costUsd: null },
      0,
      /its price is not known: Hello/,
    ],
    [
      "why it failed",
      { ok: false, ms: 3, error: "The key is not accepted." },
      7,
      /failed +test +x\/y failed after 3 ms: The key is not accepted\.\n +hint: /,
    ],
  ])("asks a model when told to, and says %s", async (_, outcome, code, finding) => {
    const test = { model: "x/y", ...outcome };
    const found = await runCli(["doctor", "--test-model", "x/y"], daemon([], { test }));
    expect([found.code, found.out]).toEqual([code, expect.stringMatching(finding)]);
    expect(found.requests.at(-1)).toMatchObject({ path: "/api/models/test", body: { model: "x/y" } });
  });

  it("asks the default model when none is named, and none unless it is told to", async () => {
    const test = { ok: true, model: "x/y", ms: 1 };
    const asked = await runCli(["doctor", "--test-model"], daemon([], { test }));
    expect(asked.requests.at(-1)).toMatchObject({ path: "/api/models/test", body: {} });
    const quiet = await runCli(["doctor"], daemon([], { test }));
    expect(quiet.requests.map(({ path }) => path)).not.toContain("/api/models/test");
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

  async function examine(...words: string[]): Promise<{ code: number; out: string }> {
    const checkConfig = () => {
      throw new HallError("config_invalid", "config.yml is not valid", { file: "config.yml", line: 1 });
    };
    const host = fakeHost({ daemon: { checkConfig } });
    return { code: await runCommandLine(["doctor", "--workspace", workspace, ...words], host), out: host.printed.out };
  }

  it("looks at what there is, and does not take a resting daemon for a fault", async () => {
    const { code, out } = await examine();
    expect(code).toBe(0);
    expect(out).toMatch(/unknown +daemon/);
  });

  it("cannot test a model then", async () => {
    const { code, out } = await examine("--test-model");
    expect([code, out]).toEqual([
      7,
      expect.stringMatching(/failed +test +only the daemon can ask a model\n +hint: Start it/),
    ]);
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
