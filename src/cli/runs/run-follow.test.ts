import { describe, expect, it } from "vitest";
import { type ApiAnswer, type ApiRequest, fakeApi, ok, refused } from "../../../test/fakes/api.ts";
import { answerEntry, endedRun, run, runPlan } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";
import { type FakeHost, fakeHost } from "../../../test/fakes/cli-host.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run } from "../../contract/runs/run.ts";
import { runCommandLine } from "../run.ts";

const ID = run().id;
const started = ok({ success: true, sessionId: ID, taskId: "TASK-001", status: "pending" });
const plan: JournalEntry = { type: "plan", plan: runPlan() };
const step: JournalEntry[] = [
  answerEntry("I look.", [{ id: "1", name: "list", input: "{}" }]),
  { type: "result", id: "1", name: "list", output: "a.ts" },
];

interface Told {
  run?: Run;
  delta?: object;
  activity?: object;
}

function frame(message: Told): string {
  const data = JSON.stringify({ runId: ID, projectId: "shop", ...message });
  return `event: ${message.delta === undefined ? "run" : "delta"}\ndata: ${data}\n\n`;
}

interface Stream {
  answer: ApiAnswer;
  /** The run as it is after each of its frames that tell of a change. */
  states?: Run[];
}

const away: Stream = { answer: refused("stopping", 503) };

/** A live stream with these messages that then ends; the last words are no message, as a newer daemon might say some. */
function stream(...messages: Told[]): Stream {
  const states = messages.flatMap((message) => message.run ?? []);
  const answer: ApiAnswer = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const message of messages) response.write(frame(message));
    response.end(": still here\n\n");
  };
  return { answer, states };
}

interface Hall {
  journal: JournalEntry[];
  now?: Run;
  /** One for each time the stream is opened. */
  streams?: Stream[];
}

/** A daemon with one run, which answers what a following command asks. */
function hallWith({ journal, now = run(), streams = [] }: Hall) {
  let opened = 0;
  let current = now;
  let states: Run[] = [];
  let isOpening = true;
  return ({ path, query }: ApiRequest): ApiAnswer | undefined => {
    if (path === "/api/team/spawn") return started;
    if (path === "/api/live") {
      const next = streams[opened++];
      states = next?.states ?? [];
      isOpening = true;
      return next?.answer ?? refused("stopping", 503);
    }
    if (path === `/api/runs/${ID}`) {
      // Asked for first when the stream is open, and again after each frame that tells of a change.
      if (!isOpening) current = states.shift() ?? current;
      isOpening = false;
      return ok({ run: current });
    }
    if (path !== `/api/runs/${ID}/transcript`) return undefined;
    const entries = journal.slice(Number(query.after), Number(query.after) + Number(query.limit));
    return ok({ entries, total: journal.length });
  };
}

function afterTick(host: FakeHost): string {
  host.tick();
  return host.printed.out;
}

const spawn = ["spawn", "coder", "Fix it", "-p", "shop"];

describe("following a run", () => {
  it("prints its steps and how it ended, in a pipe without any control character", async () => {
    const streams = [
      stream({ activity: { kind: "thinking" } }, { delta: { kind: "text", text: "I…" } }, { run: endedRun() }),
    ];
    const { code, out, err } = await runCli(spawn, hallWith({ journal: [plan, ...step], streams }));
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      [
        `${ID}  coder on shop/TASK-001: Fix the login page`,
        "offline/rehearsal, the default model",
        "│ I look.",
        "✓ list · a.ts",
        "",
        "Completed after 1 min 05 s · 2 turns · 1,234 tokens · $0.0123",
        "│ It works now.",
        "",
      ].join("\n"),
    );
  });

  it("says once what it waits for an answer to, and how to answer", async () => {
    const activity = { kind: "waiting", for: "answer", detail: "Run ls?" } as const;
    const waiting = run({ waitingFor: "answer", activity });
    const streams = [stream({ run: waiting }, { run: waiting }, { run: endedRun() })];
    const { code, err } = await runCli(spawn, hallWith({ journal: [plan], streams }));
    expect({ code, err }).toEqual({
      code: 0,
      err: "Waiting for your answer: Run ls?\nAnswer with: guildhall escalation answer\n",
    });
  });

  it("is over at once for a run that is over", async () => {
    const ended = endedRun({ status: "failed", error: "It broke." });
    const streams = [stream({ run: ended })];
    const { code, out } = await runCli(spawn, hallWith({ journal: [plan], now: ended, streams }));
    expect(code).toBe(1);
    expect(out).toMatch(/Failed after .*\nIt broke\.\n.*Retry: guildhall run retry run-\w+\n$/s);
  });

  it("ends with 1 for a run that was cancelled meanwhile", async () => {
    const streams = [stream({ run: endedRun({ status: "cancelled", error: "It was stopped." }) })];
    expect((await runCli(spawn, hallWith({ journal: [plan], streams }))).code).toBe(1);
  });

  it("prints only the run with --json", async () => {
    const streams = [stream({ activity: { kind: "thinking" } }, { run: endedRun() })];
    const { out, err } = await runCli([...spawn, "--json"], hallWith({ journal: [plan, ...step], streams }));
    expect([JSON.parse(out), err]).toEqual([{ run: endedRun() }, ""]);
  });

  it("reads a journal of several pages once and in order", async () => {
    const many = Array.from({ length: 2_500 }, (_, at): JournalEntry => ({ type: "started", epoch: at + 1, at: "" }));
    const streams = [stream({ run: endedRun() })];
    const words = ["run", "logs", "-f", ID, "--json"];
    const { out } = await runCli(words, hallWith({ journal: many, streams }));
    const epochs = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).epoch]));
    expect(epochs).toEqual(many.map((_, at) => at + 1));
  });

  it("waits for a daemon that went away, each time anew, and goes on where it was", async () => {
    const streams = [stream({ activity: { kind: "thinking" } }), away, stream(), stream({ run: endedRun() })];
    const { code, out, err, host } = await runCli(spawn, hallWith({ journal: [plan, ...step], streams }));
    expect(code).toBe(0);
    expect(out.match(/I look\./g)).toHaveLength(1);
    expect(err).toBe(
      "Lost the connection to the daemon. Reconnecting… The run continues when the daemon is back.\n".repeat(2),
    );
    expect(host.pauses).toEqual([250, 500, 250]);
  });

  it("gives up on a daemon that stays away, and says how to go on", async () => {
    const { code, err, host } = await runCli(spawn, hallWith({ journal: [plan], streams: [stream()] }));
    expect(code).toBe(6);
    expect(err).toContain(`error: Lost the connection to the daemon while following ${ID}. [daemon_unreachable]\n`);
    expect(err).toContain(`guildhall run logs -f ${ID}`);
    expect(host.pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000]);
  });
});

describe("following a run on a terminal", () => {
  const LINE = "\r\u001b[2K";
  const noon = Date.parse("2026-03-01T12:00:07.000Z");

  /** Follows until the test lets the run end. */
  async function following(words: string[], choice: { terminal?: number; env?: Record<string, string> }) {
    const journal = [plan];
    const opened = Promise.withResolvers<(message: Told) => void>();
    const states: Run[] = [];
    const answer: ApiAnswer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      opened.resolve((message) => {
        if (message.run !== undefined) states.push(message.run);
        response.write(frame(message));
      });
    };
    const api = await fakeApi(hallWith({ journal, streams: [{ answer, states }] }));
    const env = { GUILDHALL_WORKSPACE: api.workspace, NO_COLOR: "1", ...choice.env };
    const host = fakeHost({ ...choice, env, now: () => noon });
    const done = runCommandLine(words, host).finally(() => api.close());
    const say = await opened.promise;
    await expect.poll(() => api.requests.some(({ path }) => path.endsWith("/transcript"))).toBe(true);
    return { journal, say, host, done };
  }

  it("redraws one line, above which finished steps scroll, and leaves nothing of it behind", async () => {
    const { journal, say, host, done } = await following(spawn, { terminal: 80 });
    await expect.poll(() => host.printed.out).toContain(`${LINE}turn 1 · 7 s · $0 · thinking`);
    say({ delta: { kind: "text", text: "I look for it" } });
    await expect.poll(() => afterTick(host)).toContain("thinking  I look for it");
    journal.push(...step);
    say({ activity: { kind: "tool", name: "read", subject: "a.ts" } });
    await expect.poll(() => afterTick(host)).toContain(`${LINE}│ I look.\n`);
    await expect.poll(() => afterTick(host)).toContain("turn 1 · 7 s · $0.0010 · reading a.ts");
    say({ run: endedRun() });
    expect(await done).toBe(0);
    expect(host.printed.out.split(LINE).at(-1)).toMatch(/^\nCompleted after 1 min 05 s .*\n│ It works now\.\n$/);
  });

  it("prints plain lines where the terminal can do no more", async () => {
    const { say, host, done } = await following(spawn, { terminal: 80, env: { TERM: "dumb" } });
    host.tick();
    say({ run: endedRun() });
    await done;
    expect(host.printed.out).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it.each([
    [
      "says so, and how to go on or cancel",
      [],
      /^Stopped following\. run-\w+ is still running\.\nFollow again with: guildhall run logs -f run-\w+\nStop with: guildhall run stop run-\w+\n$/,
    ],
    ["says so in JSON with --json", ["--json"], /^\{"level":"info","message":"Stopped following\. .*"\}\n$/],
  ])("Ctrl-C ends with 130 and %s", async (_, words, text) => {
    const { say, host, done } = await following([...spawn, ...words], { terminal: 80 });
    host.signal();
    expect(host.exits).toEqual([130]);
    expect(host.printed.err).toMatch(text);
    say({ run: endedRun() });
    await done;
  });
});
