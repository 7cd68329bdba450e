import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { textWidth } from "../../src/cli/text/text-width.ts";
import { boardOf } from "../harness/board.ts";
import { eventually, spawnHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall, startGuildhall } from "../harness/guildhall.ts";
import { type Script, startProvider } from "../harness/scripted-provider.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { furnish, listRuns, PROJECT, runOf, untilDoing, untilOver } from "../harness/spawned-runs.ts";
import { CTRL_C, hasTerminal, inTerminal } from "../harness/terminal.ts";

const playbooks = {
  note: `
turns:
  - text: "I look around \\e[2J 日本語 🚀."
    calls: [{tool: list, input: {path: "."}}, {tool: read, input: {path: gone.md}}]
  - calls: [{tool: write, input: {path: "notes/{{title}}.md", content: "hello\\n"}}]
  - calls: [{tool: report, input: {summary: "Wrote the note", outcome: full}}]
  - text: Done.
`,
  slow: "turns: [{text: I wait., calls: [{tool: list, input: {path: .}}]}, {delayMs: 600000, text: Too late.}]",
  steady:
    "turns: [{delayMs: 4000, text: One., calls: [{tool: list, input: {path: .}}]}, {delayMs: 1500, text: 'You said: {{message}}'}]",
  hostile: `
turns:
  - text: "said \\e]0;owned\\a\\x9b2J"
    calls: [{tool: read, input: {path: "\\e[31mred.md"}}, {tool: "no\\e[2Jtool", input: {}}]
  - calls: [{tool: report, input: {summary: "sum \\e[31m \\u202E", outcome: full}}]
  - text: "end \\e[2J"
`,
  refused: "turns: [{fail: {kind: refused, times: 99}}]",
};

const PATIENCE_MS = 15_000;
const hall = sharedHall();
beforeAll(async () => void (await furnish(hall(), playbooks)));

const ask = (...words: string[]) => guildhall(words, { workspace: hall().workspace });
const spawn = (playbook: string, title: string) => [
  "spawn",
  "worker",
  title,
  "-p",
  PROJECT,
  "--model",
  `offline/${playbook}`,
];

/** A busy machine takes its time. */
async function untilSaid(said: () => string, text: string): Promise<void> {
  await eventually(said, (shown) => shown.includes(text), PATIENCE_MS);
}

async function untilRunning(title: string): Promise<string> {
  const found = await eventually(
    () => listRuns(hall()),
    (runs) => runs.some((run) => run.title === title && run.status === "running"),
    PATIENCE_MS,
  );
  return found.find((run) => run.title === title)?.id ?? "";
}

describe("spawn in a pipe", () => {
  it("prints a line for each finished step and how it ended, and nothing that a terminal acts on", async () => {
    const { code, stdout, stderr } = await ask(...spawn("note", "plain"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^run-\w+ {2}worker on shop\/TASK-\d+: plain\noffline\/note, set by this request\n/);
    const steps = ["│ I look around ␛[2J 日本語 🚀.", "✓ list . · ", "✗ read gone.md · ", "✓ write notes/plain.md · "];
    const places = steps.map((step) => stdout.indexOf(`\n${step}`));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(stdout).toMatch(/\nCompleted after \d+ s · 4 turns · .*\n│ Wrote the note\nchanged {3}notes\/plain\.md\n/);
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it("ends with 1 and the reason when the run fails [S0-SPAWN-11]", async () => {
    const { code, stdout } = await ask(...spawn("refused", "fails"));
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nFailed after .*\n.*refused.*\n(artifact .*\n)?Retry: guildhall run retry run-\w+\n$/);
  });

  it("is one document with --json: the run as the API has it", async () => {
    const { code, stdout, stderr } = await ask(...spawn("note", "json"), "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { run } = JSON.parse(stdout);
    expect(run).toMatchObject({ title: "json", status: "completed", result: { output: "Wrote the note" } });
    expect(run).toEqual(await runOf(hall(), run.id));
    expect((await ask(...spawn("refused", "json fails"), "--json")).code).toBe(1);
  });

  it("does not wait with --detach, and the run can be followed by the end of its id [S0-SPAWN-05]", async () => {
    const { stdout } = await ask(...spawn("steady", "detached"), "--detach", "--json");
    const { sessionId, status } = JSON.parse(stdout);
    expect(status).toBe("pending");
    const end = sessionId.slice(-6);
    expect((await ask("run", "message", end, "hello there")).code).toBe(0);
    const followed = await ask("run", "logs", "-f", end);
    expect(followed.code).toBe(0);
    expect(followed.stdout).toContain("\nperson: hello there\n");
    expect(followed.stdout).toMatch(/\nCompleted after .*\n│ You said: hello there\n/);
    const lines = (await ask("run", "logs", end, "--json")).stdout.trimEnd().split("\n");
    const transcript = (await hall().call("GET", `/api/runs/${sessionId}/transcript`)).body;
    expect(lines.map((line) => JSON.parse(line))).toEqual(transcript.entries);
  });

  it("shows with --dry-run the exact prompt and the reason of each decision, and starts nothing", async () => {
    const before = [await listRuns(hall()), (await boardOf(hall(), PROJECT).list()).tasks];
    const { code, stdout } = await ask(...spawn("note", "never"), "--timeout", "33", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nmodel +offline\/note \(set by this request\)\n/);
    expect(stdout).toMatch(/\ntools +read, .* \(set by the role.*\)\n.*time +33 s \(set by this request\)\n/s);
    const { plan } = JSON.parse((await ask(...spawn("note", "never"), "--dry-run", "--json")).stdout);
    expect(stdout).toContain(`\n--- prompt ---\n${plan.prompt}`);
    expect([await listRuns(hall()), (await boardOf(hall(), PROJECT).list()).tasks]).toEqual(before);
  });

  it("stops following on SIGINT with 130, and the run goes on until it is cancelled", async () => {
    const running = startGuildhall(spawn("slow", "interrupted"), { workspace: hall().workspace });
    const id = await untilRunning("interrupted");
    await untilSaid(() => running.said.stdout, "✓ list");
    running.signal("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toBe(
      `Stopped following. ${id} is still running.\nFollow again with: guildhall run logs -f ${id}\nStop with: guildhall run stop ${id}\n`,
    );
    expect((await runOf(hall(), id)).status).toBe("running");
    const follower = startGuildhall(["run", "logs", "-f", id], { workspace: hall().workspace });
    await untilSaid(() => follower.said.stdout, "✓ list");
    expect((await ask("run", "stop", id.slice(-6))).stdout).toBe(`${id} is stopped.\n`);
    const followed = await follower.ended;
    expect([followed.code, followed.stdout]).toEqual([1, expect.stringMatching(/\nStopped after \d+ s · /)]);
  });

  it.each([
    ["a role that is not there", ["spawn", "nobody", "x", "-p", PROJECT], 3, /role_not_found\]\n {2}hint: .*role list/],
    ["a role that is only a template", ["spawn", "coder", "x"], 3, /hint: .*guildhall role create --template coder/],
    ["a project that is not there", ["spawn", "worker", "x", "-p", "none"], 3, /hint: .*guildhall project list/],
    ["a task that is not there", ["spawn", "worker", "--task", "shop/999"], 3, /hint: .*guildhall task list/],
    ["a playbook that is not there", [...spawn("none", "x")], 2, /none.*\n {2}hint: .*guildhall doctor/],
    ["a run that is not there", ["run", "stop", "run-none"], 3, /hint: .*guildhall run list/],
    ["a run that is not there, by its end", ["run", "logs", "zzzz"], 3, /hint: .*guildhall run list/],
  ])("refuses %s and says what to do", async (_, words, exit, text) => {
    const { code, stdout, stderr } = await ask(...words);
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(text);
  });

  it("names the variables that a role needs and how to give them", async () => {
    const role = { id: "needy", name: "Needy", variables: ["house"], systemPromptTemplate: "Of {{house}}." };
    expect((await hall().call("POST", "/api/roles", role)).status).toBe(201);
    const words = ["spawn", "needy", "x", "-p", PROJECT, "--dry-run"];
    const { code, stderr } = await ask(...words);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/needs a value for house.*\n {2}hint: .*--var NAME=VALUE/),
    ]);
    expect((await ask(...words, "--var", "house=Usher")).stdout).toContain("Of Usher.");
  });
});

describe("a daemon that goes away", () => {
  it("is waited for, and the run is followed to its end when it is back", async () => {
    const workspace = `${temporaryFolder()}/w`;
    const first = await spawnHall(workspace);
    await furnish(first, playbooks);
    const running = startGuildhall(spawn("steady", "survivor"), { workspace });
    await untilSaid(() => running.said.stdout, "survivor");
    await first.kill();
    await untilSaid(() => running.said.stderr, "Lost the connection to the daemon. Reconnecting…");
    await spawnHall(workspace);
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("\n↻ resumed after a restart (attempt 2)\n");
    expect(stdout.match(/✓ list \./g)).toHaveLength(1);
    expect(stdout).toMatch(/\nCompleted after /);
  });
});

/** A hall whose model is played by a provider on loopback and has a price: 2 and 10 dollars for a million tokens. */
async function pricedHall(script: Script) {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  const config = {
    providers: { own: { kind: "openai-compatible", baseUrl: provider.url } },
    models: { default: "own/m", prices: { "own/m": { input: 2, output: 10 } } },
  };
  return { provider, hall: await furnish(await startHall(undefined, { config }), {}) };
}

/** What is left on the screen when every line that was erased is gone. */
function screen(shown: string): string[] {
  const lines = shown.replaceAll("\r\n", "\n").split("\n");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out here to see what is left
  return lines.map((line) => (line.split("\r\u001b[2K").at(-1) ?? "").replace(/\u001b\[\d+m/g, ""));
}

describe.runIf(hasTerminal)("spawn on a terminal", { timeout: 180_000 }, () => {
  const inHall = (words: string, columns: number) =>
    inTerminal(`exec guildhall ${words}`, columns, { GUILDHALL_WORKSPACE: hall().workspace });

  it.each([80, 120])(
    "of %i columns redraws one line below the finished steps, and takes it away at the end",
    async (columns) => {
      const title = `glance ${columns} ${"of a long title ".repeat(12)}`;
      const session = inHall(`spawn worker '${title}' -p ${PROJECT} --model offline/steady`, columns);
      await untilSaid(session.shown, "\r\u001b[2K\u001b[36mturn 1 · ");
      expect(await session.ended).toBe(0);
      // Which turns it names depends on how fast they are; it is drawn again at least when it is taken away.
      expect(session.shown().split("\r\u001b[2K").length).toBeGreaterThan(2);
      const lines = screen(session.shown());
      expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
      expect(lines.filter((line) => line.includes("turn 1 · ") || line.includes("turn 2 · "))).toEqual([]);
      expect(lines).toContain("│ One.");
      expect(lines.filter((line) => line.startsWith("Completed after "))).toHaveLength(1);
    },
  );

  it("shows titles and whatever a model says as it is, and lets none of it act on it", async () => {
    const session = inHall(`spawn worker 'a "title" 👩‍👩‍👧‍👦' -p ${PROJECT} --model offline/hostile`, 80);
    expect(await session.ended).toBe(0);
    const [run] = await listRuns(hall());
    const more = ["run list", `run show ${run?.id}`, `run logs ${run?.id} --full`, `run logs ${run?.id} --json`];
    const sessions = [session, ...more.map((words) => inHall(words, 120))];
    await Promise.all(sessions.map(({ ended }) => ended));
    for (const { shown } of sessions) {
      const text = screen(shown()).join("\n");
      expect(text).toMatch(/a \\?"title\\?" 👩‍👩‍👧‍👦/);
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    }
    expect(screen(session.shown()).join("\n")).toContain("said ␛]0;owned␇\\u009b2J");
  });

  it("shows what the model is saying while it says it, and the cost so far", async () => {
    const { provider, hall: own } = await pricedHall([
      { text: "First.", calls: [{ name: "list", input: { path: "." } }], usage: { input: 1_000, output: 100 } },
      { text: "I look for the check that lets everybody in. ".repeat(4), hang: "middle" },
    ]);
    const session = inTerminal("exec guildhall spawn worker Streams -p shop", 100, {
      GUILDHALL_WORKSPACE: own.workspace,
    });
    await provider.request(1);
    const saying = /turn 2 · \d+ s · \$0\.0030 · thinking\S* {2}\S*…?.*I look for the check/;
    await eventually(session.shown, (text) => saying.test(text), PATIENCE_MS);
    const [run] = await listRuns(own);
    await own.call("POST", `/api/runs/${run?.id}/stop`, {});
    expect(await session.ended).toBe(1);
    expect(screen(session.shown()).join("\n")).toMatch(/First\.\n✓ list \. · .*\n\nStopped after /);
  });

  it("Ctrl-C says how to go on, leaves no half line behind and ends with 130, while the run goes on", async () => {
    const session = inHall(`spawn worker 'by hand' -p ${PROJECT} --model offline/slow`, 80);
    const id = await untilRunning("by hand");
    await untilDoing(hall(), id, { kind: "thinking" });
    await untilSaid(session.shown, "turn 2 · ");
    session.type(CTRL_C);
    expect(await session.ended).toBe(130);
    const left = screen(session.shown());
    expect(left.slice(-4)).toEqual([
      `Stopped following. ${id} is still running.`,
      `Follow again with: guildhall run logs -f ${id}`,
      `Stop with: guildhall run stop ${id}`,
      "",
    ]);
    expect((await runOf(hall(), id)).status).toBe("running");
    await hall().call("POST", `/api/runs/${id}/stop`, {});
    expect((await untilOver(hall(), id)).status).toBe("cancelled");
  });
});

describe("doctor", () => {
  it("tells which models there are, and tries one on request", async () => {
    const plain = await ask("doctor");
    expect(plain.stdout).toMatch(
      /\nwarning +Default model +offline\/rehearsal, the offline model, .*playbooks: hostile, note, refused, slow, steady\n/,
    );
    const tested = await ask("doctor", "--test-model");
    expect([tested.code, tested.stdout]).toEqual([
      0,
      expect.stringMatching(/\nok +Test +offline\/rehearsal answered in \d+ ms, cost \$0: /),
    ]);
    const failed = await ask("doctor", "--test-model", "anthropic/claude");
    expect([failed.code, failed.stdout]).toEqual([
      7,
      expect.stringMatching(/\nfailed +Test +anthropic\/claude failed after \d+ ms: .*ANTHROPIC_API_KEY/),
    ]);
  });
});
