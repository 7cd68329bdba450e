import { describe, expect, it } from "vitest";
import { ok, refused } from "../../../../test/fakes/api.ts";
import { models, problem, status } from "../../../../test/fakes/api-documents.ts";
import { runCli } from "../../../../test/fakes/cli.ts";
import { fakeHost } from "../../../../test/fakes/cli-host.ts";
import type { Problem } from "../../../contract/problem.ts";
import type { RouteResponse } from "../../../contract/routes/routes.ts";
import type { HealthCheck } from "../../../contract/routes/settings-routes.ts";
import { hint, toldHint } from "../../../contract/words/hint.ts";
import { runCommandLine } from "../../run.ts";

const fine: HealthCheck = { id: "sandbox", title: "Sandbox", state: "ok", detail: "commands run in bwrap" };
const weak: HealthCheck = {
  id: "git",
  title: "Git",
  state: "warning",
  detail: "git is not installed",
  hint: "Install git.",
};
const broken: HealthCheck = { id: "files", title: "Files", state: "failed", detail: "1 file can't be read" };

interface Told {
  checks?: HealthCheck[];
  problems?: Problem[];
  test?: RouteResponse<"testModel">;
}

const daemon =
  ({ checks = [fine], problems = [], test }: Told = {}) =>
  ({ path }: { path: string }) => {
    if (path === "/api/status") return ok(status());
    if (path === "/api/doctor") return ok({ checks });
    if (path === "/api/models") return ok(models());
    if (path === "/api/models/test") return ok(test);
    return path === "/api/problems" ? ok({ problems }) : undefined;
  };

describe("doctor with a daemon", () => {
  it("says what the daemon says, in its words and its order, and where the daemon is", async () => {
    const { code, out } = await runCli(["doctor"], daemon({ checks: [weak, fine] }));
    expect([code, out.split("\n")]).toEqual([
      0,
      [
        `ok       Daemon   ${status().version} at ${status().url}`,
        "warning  Git      git is not installed",
        "         hint: Install git.",
        "ok       Sandbox  commands run in bwrap",
        "All checks passed, with warnings.",
        "",
      ],
    ]);
  });

  it("is content with a healthy hall", async () => {
    const { code, out } = await runCli(["doctor"], daemon());
    expect([code, out]).toEqual([0, expect.stringMatching(/\nAll checks passed\.\n$/)]);
  });

  it("ends with 7 and names file, line and reason of what is invalid", async () => {
    const { code, out } = await runCli(["doctor"], daemon({ checks: [broken], problems: [problem()] }));
    expect(code).toBe(7);
    expect(out).toContain(
      "Problems:\ninvalid: projects/shop/TASKS/todo/TASK-009.md:4  status: must be one of pending, done",
    );
  });

  it("does not list again what has a check of its own", async () => {
    const waits = problem({ kind: "run", severity: "warning", reason: "run r waits for budget: x" });
    const { out } = await runCli(["doctor"], daemon({ problems: [waits] }));
    expect(out).not.toMatch(/Problems|waits/);
  });

  it("answers with one document under --json", async () => {
    const { out } = await runCli(["doctor", "--json"], daemon({ checks: [broken], problems: [problem()] }));
    const { id, ...told } = broken;
    expect(JSON.parse(out)).toEqual({
      healthy: false,
      checks: [expect.objectContaining({ name: "daemon", state: "ok" }), { name: id, ...told }],
      problems: [problem()],
      models: models(),
    });
  });

  it("takes a daemon that refuses it for a failure", async () => {
    const examineAtRest = async () => [fine];
    const { code, out } = await runCli(["doctor"], () => refused("unauthorized", 401), { daemon: { examineAtRest } });
    expect(code).toBe(7);
    expect(out).toMatch(/failed +Daemon +refused with unauthorized/);
  });
});

describe("doctor and a model", () => {
  it.each([
    [
      "what it said, how long it took and what it cost",
      { ok: true, ms: 12, text: "Hello", costUsd: 0.00003 },
      0,
      /ok +Test +x\/y answered in 12 ms, cost \$0\.00003: Hello/,
    ],
    ["that its price is not known", { ok: true, ms: 12, text: "Hello", costUsd: null }, 0, /price unknown: Hello/],
    [
      "why it failed",
      { ok: false, ms: 3, error: "The key is not accepted." },
      7,
      /failed +Test +x\/y failed after 3 ms: The key is not accepted\.\n +hint: /,
    ],
  ])("asks a model when told to, and says %s", async (_, outcome, code, finding) => {
    const test = { model: "x/y", ...outcome };
    const found = await runCli(["doctor", "--test-model", "x/y"], daemon({ test }));
    expect([found.code, found.out]).toEqual([code, expect.stringMatching(finding)]);
    expect(found.requests.at(-1)).toMatchObject({ path: "/api/models/test", body: { model: "x/y" } });
  });

  it("asks the default model when none is named, and none unless it is told to", async () => {
    const test = { ok: true, model: "x/y", ms: 1 };
    const asked = await runCli(["doctor", "--test-model"], daemon({ test }));
    expect(asked.requests.at(-1)).toMatchObject({ path: "/api/models/test", body: {} });
    const quiet = await runCli(["doctor"], daemon({ test }));
    expect(quiet.requests.map(({ path }) => path)).not.toContain("/api/models/test");
  });
});

describe("doctor without a daemon", () => {
  async function examine(...words: string[]): Promise<{ code: number; out: string }> {
    const examineAtRest = async ({ named }: { named?: string | undefined }) => [
      { ...fine, ...toldHint(hint("daemon-creates", { workspace: named })) },
    ];
    const host = fakeHost({ daemon: { examineAtRest } });
    return { code: await runCommandLine(["doctor", "--workspace", "/none", ...words], host), out: host.printed.out };
  }

  it("looks at what there is, and does not take a resting daemon for a fault", async () => {
    const { code, out } = await examine();
    expect(code).toBe(0);
    expect(out).toMatch(
      /unknown +Daemon .*\n +hint: .*guildhall up.*\nok +Sandbox .*\n +hint: 'guildhall up --workspace \/none' creates/,
    );
  });

  it("cannot test a model then", async () => {
    const { code, out } = await examine("--test-model");
    expect([code, out]).toEqual([
      7,
      expect.stringMatching(/failed +Test +testing a model requires the daemon\n +hint: Start it/),
    ]);
  });
});
