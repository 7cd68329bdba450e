import { describe, expect, it } from "vitest";
import { type ApiRequest, ok } from "../../../test/fakes/api.ts";
import { answerEntry, endedRun, run, runPlan } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import type { Run } from "../../contract/runs/run.ts";
import { textWidth } from "../text/text-width.ts";

const ID = run().id;
const other = run({
  id: "run-01m7fde4br0000fr579tsk",
  title: "日本語 🚀 \u001b[2J",
  activity: { kind: "tool", name: "read", subject: "a.ts" },
});

const hallWith =
  (...runs: Run[]) =>
  ({ path }: ApiRequest) => {
    if (path === "/api/runs") return ok({ runs });
    const found = runs.find(({ id }) => path.startsWith(`/api/runs/${id}`));
    if (path.endsWith("/stop")) return ok({ success: true, run: { ...found, status: "cancelled" } });
    if (path.endsWith("/message")) return ok({ success: true });
    if (path.endsWith("/retry"))
      return ok({ success: true, sessionId: "run-2", taskId: "TASK-001", status: "pending" });
    if (!path.endsWith("/transcript")) return found === undefined ? undefined : ok({ run: found });
    return ok({ entries: [{ type: "plan", plan: runPlan() }, answerEntry("Done.")], total: 2 });
  };

describe("run list", () => {
  it("shows what each run is doing, and fits the terminal with its ids whole", async () => {
    const { out } = await runCli(["run", "list", "-p", "shop"], hallWith(endedRun(), other));
    expect(out.split("\n").slice(0, 3)).toEqual([
      "RUN                         STATE      TASK           ROLE   CREATED           COST     NOW           TITLE",
      expect.stringMatching(
        /^run-01m7fde4br0000fr579tsj {2}Completed {2}shop\/TASK-001 {2}coder .* \$0\.0123 +Fix the/,
      ),
      expect.stringMatching(/Running .* reading a\.ts {2}日本語 🚀 ␛\[2J$/),
    ]);
    for (const terminal of [60, 80, 120]) {
      const narrow = await runCli(["run", "list", "--no-color"], hallWith(endedRun(), other), { terminal });
      for (const line of narrow.out.trimEnd().split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(terminal);
      expect(narrow.out).toContain(`${ID} `);
    }
  });

  it("passes filters on, and says what to do when there is none", async () => {
    const words = ["run", "list", "--status", "running", "--task", "7", "--role", "coder", "--limit", "5"];
    const some = await runCli(words, hallWith());
    expect(some.requests[0]?.query).toEqual({ status: "running", task: "TASK-007", role: "coder", limit: "5" });
    expect(some.out).toBe("No runs match these filters.\n");
    expect((await runCli(["run", "list", "-p", "shop"], hallWith())).out).toBe(
      "No runs yet. Start one: guildhall spawn ROLE TITLE -p shop\n",
    );
  });
});

describe("the end of a run's id", () => {
  it("names it where it fits only one", async () => {
    const { out } = await runCli(["run", "show", "79TSJ"], hallWith(endedRun(), other));
    expect(out).toMatch(new RegExp(`^${ID} {2}Fix the login page\nCompleted\n\ntask +shop/TASK-001\n`));
    expect(out).toMatch(/\ntokens +1,200 in, 34 out\ncost +\$0\.0123\n\nResult\n│ It works now\.\n$/);
  });

  it.each([
    ["zzz", 3, "No run id starts or ends with 'zzz'."],
    ["", 2, "'' matches 2 runs."],
    ["run-x", 3, "starts or ends with 'run-x'"],
  ])("that is %j is refused", async (end, code, message) => {
    const twins = [endedRun(), { ...other, id: "run-2sj" }];
    const outcome = await runCli(["run", "show", end], hallWith(...twins));
    expect([outcome.code, outcome.err]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe("run show", () => {
  it("says that a price is not known, and that a run was taken up again", async () => {
    const unpriced = run({ attempt: 2, usage: { ...run().usage, costKnown: false, cacheReadTokens: 1_000 } });
    const { out } = await runCli(["run", "show", ID], hallWith(unpriced));
    expect(out).toContain("≈ $0.0123 (estimated: price unknown)");
    expect(out).toContain("1,200 in (1,000 cached), 34 out");
    expect(out).toMatch(/attempts +2 \(resumed\)/);
  });
});

describe("run logs", () => {
  it("prints what was said and done, and how it ended", async () => {
    const { code, out } = await runCli(["run", "logs", ID], hallWith(endedRun({ status: "failed", error: "No." })));
    expect(code).toBe(0);
    expect(out).toMatch(/^run-\w+ {2}coder on .*\noffline.*\n\nFailed after .*\nNo\.\n.*guildhall run retry/s);
  });

  it("tells how to follow a run that is still at work", async () => {
    const { out } = await runCli(["run", "logs", ID], hallWith(run()));
    expect(out).toMatch(/\nRunning · thinking\nFollow with: guildhall run logs -f run-\w+\n$/);
  });

  it("prints the journal with --json, one entry to a line, and of it only the newest with --lines", async () => {
    const { out } = await runCli(["run", "logs", ID, "--json"], hallWith(endedRun()), { terminal: 80 });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).type),
    ).toEqual(["plan", "answer"]);
    const { requests } = await runCli(["run", "logs", ID, "-n", "1"], hallWith(endedRun()));
    expect(requests.at(-1)?.query).toMatchObject({ after: "1" });
    expect((await runCli(["run", "logs", ID, "-n", "-1"])).code).toBe(2);
  });
});

describe("run stop, retry and message", () => {
  it("say what came of it", async () => {
    const hall = hallWith(run());
    expect((await runCli(["run", "stop", ID], hall)).out).toBe(`${ID} is stopped.\n`);
    expect((await runCli(["run", "retry", ID], hall)).out).toMatch(/^Started run-2 for TASK-001\.\nFollow with: /);
    const message = await runCli(["run", "message", ID, "Leave", "the tests"], hall);
    expect(message.requests[0]).toMatchObject({ method: "POST", body: { text: "Leave the tests" } });
    expect(message.out).toBe(`Sent. ${ID} reads it before its next turn.\n`);
  });

  it("reads a long message from standard input, and refuses an empty one", async () => {
    const { requests } = await runCli(["run", "message", ID, "-"], hallWith(run()), { input: "Two\nlines" });
    expect(requests[0]?.body).toEqual({ text: "Two\nlines" });
    const empty = await runCli(["run", "message", ID, " "], hallWith(run()));
    expect([empty.code, empty.requests]).toEqual([2, []]);
  });
});
