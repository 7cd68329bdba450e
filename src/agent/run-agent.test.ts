import { describe, expect, it } from "vitest";
import { begun, call, play, reportTool, said, tool } from "../../test/fakes/agent.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import { ModelFailure } from "../contract/runs/model-call.ts";

const DONE = { text: "Done." };

describe("one agent at work", () => {
  it("asks, carries out what the model decides, and ends when the model ends its turn", async () => {
    const { end, asked, written } = await play([{ text: "I look.", calls: [call("a", "look")] }, DONE], {
      tools: [tool("look", { run: () => "a file" })],
    });
    expect(end).toEqual({ status: "completed", result: { output: "Done.", artifacts: [], filesChanged: [] } });
    expect(written.map(({ type }) => type)).toEqual(["answer", "result", "answer"]);
    expect(asked[1]?.messages).toEqual([
      { role: "user", text: "Fix the login." },
      { role: "assistant", text: "I look.", thinking: [], calls: [call("a", "look")] },
      { role: "tool", results: [{ id: "a", name: "look", output: "a file", failed: false }] },
    ]);
  });

  it("has a decision on disk before anything is done about it", async () => {
    const order: string[] = [];
    const run = () => String(order.push("acted"));
    const tools = [tool("act", { run, changes: true }), tool("child", { run, repeatable: true })];
    for (const name of ["act", "child"]) {
      const before = order.length;
      await play([{ calls: [call("a", name)] }, DONE], { tools, order });
      await new Promise(setImmediate);
      expect(order.slice(before, before + 2)).toEqual(["answer is on disk", "acted"]);
    }
  });

  it("notes how long a tool was at work whatever the clock does, and nothing of one that was not asked", async () => {
    const day = 86_400_000;
    const time = { now: 40 * day, up: 0 };
    const takes = (ms: number, jump: number) => () => {
      time.now += jump;
      time.up += ms;
      return "";
    };
    const changes = true;
    const tools = [
      tool("build", { run: takes(3_210.4, day), changes }),
      tool("turn-back", { run: takes(0, -day), changes }),
    ];
    const calls = [call("a", "build"), call("b", "turn-back"), call("c", "fly")];
    const clocks = { clock: () => new Date(time.now), uptime: () => time.up };
    const { written } = await play([{ calls }, DONE], { tools, ...clocks });
    const results = written.filter((entry) => entry.type === "result");
    expect(results.map(({ name, ms }) => [name, ms])).toEqual([
      ["build", 3_210],
      ["turn-back", 0],
      ["fly", undefined],
    ]);
  });

  it("does not wait for the disk before it only looks at something", async () => {
    const order: string[] = [];
    const look = tool("look", { run: () => String(order.push("looked")) });
    await play([{ calls: [call("a", "look")] }, DONE], { tools: [look], order });
    expect(order[0]).toBe("looked");
  });

  it("gives the report as the result, and counts files by what tools changed, not by what the model claims", async () => {
    const report = { summary: "All green.", outcome: "partial", artifacts: ["out/report.md"] };
    const turns = [
      { calls: [call("w", "write"), call("w2", "write")] },
      { calls: [call("r", "report", report)] },
      DONE,
    ];
    const { end } = await play(turns, {
      tools: [tool("write", { changes: true, files: ["b.ts", "a.ts"] }), reportTool()],
    });
    expect(end).toEqual({
      status: "completed",
      result: {
        output: "All green.",
        outcome: "partial",
        artifacts: ["out/report.md"],
        filesChanged: ["a.ts", "b.ts"],
      },
    });
  });

  it("gives the verdict and findings of a review as fields of the result", async () => {
    const findings = [{ severity: "low", file: "a.ts", message: "Unused." }];
    const report = { summary: "Read it. Verdict: reject.", verdict: "approve", findings };
    const { end } = await play([{ calls: [call("r", "report", report)] }, DONE], { tools: [reportTool("review")] });
    expect(end.result).toEqual({
      output: "Read it. Verdict: reject.",
      artifacts: [],
      filesChanged: [],
      review: { verdict: "approve", findings },
    });
  });

  it("takes no report that is not valid, and tells the model why", async () => {
    const { end, written } = await play([{ calls: [call("r", "report", { outcome: "great" })] }, DONE], {
      tools: [reportTool()],
    });
    expect(written[1]).toMatchObject({ type: "result", failed: true, output: expect.stringContaining("summary") });
    expect(end).toMatchObject({ result: { output: "Done." } });
    expect(end.result).not.toHaveProperty("outcome");
  });

  it("shows only the tools it has, and refuses any other at execution [S0-SEC-01]", async () => {
    const { asked, written } = await play([{ calls: [call("x", "exec", { command: "rm -rf ." })] }, DONE], {
      tools: [tool("read")],
    });
    expect(asked[0]?.tools).toEqual(["read"]);
    expect(written[1]).toMatchObject({
      type: "result",
      name: "exec",
      failed: true,
      output: "There is no tool 'exec' for role 'coder'. The tools are: read.",
    });
  });

  it("gives the model what is said to it, before its next turn", async () => {
    const { asked, written } = await play([{ calls: [call("a", "look")] }, DONE], {
      tools: [tool("look")],
      messages: { 2: "Leave the tests alone." },
    });
    expect(asked[1]?.messages.at(-1)).toEqual({ role: "user", text: "Leave the tests alone." });
    expect(written.map(({ type }) => type)).toEqual(["answer", "result", "message", "answer"]);
  });
});

describe("calls of one answer", () => {
  it("run beside each other when they change nothing, and their results keep the order of the calls", async () => {
    const first = Promise.withResolvers<string>();
    const tools = [
      tool("slow", { run: () => first.promise }),
      tool("quick", {
        run: () => {
          first.resolve("slow");
          return "quick";
        },
      }),
    ];
    const { written } = await play([{ calls: [call("1", "slow"), call("2", "quick")] }, DONE], { tools });
    expect(written.flatMap((entry) => (entry.type === "result" ? [entry.output] : []))).toEqual(["slow", "quick"]);
  });

  it("wait for everything before them when they change something", async () => {
    const order: string[] = [];
    const step = (name: string, changes: boolean) =>
      tool(name, {
        changes,
        run: async () => {
          order.push(`${name} begins`);
          await new Promise(setImmediate);
          order.push(`${name} ends`);
          return "";
        },
      });
    const calls = [call("1", "read"), call("2", "write"), call("3", "look")];
    await play([{ calls }, DONE], { tools: [step("read", false), step("write", true), step("look", false)] });
    expect(order).toEqual(["read begins", "read ends", "write begins", "write ends", "look begins", "look ends"]);
  });

  it("with broken JSON or of the wrong shape are told to the model, and the run goes on", async () => {
    const { written, end } = await play(
      [{ calls: [call("1", "look", '{"path": "a'), call("2", "look", "[]")] }, DONE],
      {
        tools: [tool("look")],
      },
    );
    const outputs = written.flatMap((entry) => (entry.type === "result" ? [entry] : []));
    expect(outputs.map(({ failed }) => failed)).toEqual([true, true]);
    expect(outputs[0]?.output).toContain("not JSON");
    expect(end.status).toBe("completed");
  });
});

describe("how a run ends", () => {
  it("fails when the turns are used up, and keeps what was done", async () => {
    const turn = (number: number) => ({ text: `Step ${number}.`, calls: [call(`c${number}`, "write", { number })] });
    const { end } = await play([turn(1), turn(2)], {
      limits: { turns: 2 },
      tools: [tool("write", { files: ["a.ts"] })],
    });
    expect(end).toEqual({
      status: "failed",
      cause: "turns",
      error: "The run used all of its 2 turns.",
      result: { output: "Step 2.", artifacts: [], filesChanged: ["a.ts"] },
    });
  });

  it("fails when the tokens are used up", async () => {
    const turn = (number: number) => ({ calls: [call(`c${number}`, "look", { number })] });
    const { end, asked } = await play([turn(1), turn(2)], { limits: { tokens: 30 }, tools: [tool("look")] });
    expect(end).toMatchObject({ status: "failed", cause: "tokens" });
    expect(asked).toHaveLength(2);
  });

  it("fails when the model repeats the same call for ever, but not when it differs in between", async () => {
    const same = (id: number) => ({ calls: [call(`c${id}`, "look", { path: "a" })] });
    const other = { calls: [call("o", "look", { path: "b" })] };
    const { end, asked } = await play([same(1), same(2), other, same(3), same(4), same(5)], {
      limits: { repeats: 3 },
      tools: [tool("look")],
    });
    expect(end).toMatchObject({ status: "failed", cause: "repeats" });
    expect(asked).toHaveLength(6);
  });

  it("ends a turn that still may end when the last turn allowed was the last word", async () => {
    const { end } = await play([DONE], { limits: { turns: 1 } });
    expect(end.status).toBe("completed");
  });

  it("fails when the model refuses, with its words", async () => {
    const { end } = await play([{ text: "I can't help with that.", finish: "refused" }]);
    expect(end).toMatchObject({
      status: "failed",
      cause: "refused",
      error: "The model refused to continue. I can't help with that.",
    });
  });

  it("fails when the model says and does nothing at all", async () => {
    const { end } = await play([{}]);
    expect(end).toMatchObject({
      status: "failed",
      cause: "silent",
    });
  });

  it("takes the last words for the result when the model ends without any", async () => {
    const { end } = await play([{ text: "I changed it.", calls: [call("a", "look")] }, {}], { tools: [tool("look")] });
    expect(end).toMatchObject({ status: "completed", result: { output: "I changed it." } });
  });

  it("lets a model go on whose answer was cut off, and gives up after three in a row", async () => {
    const cut = { text: "The answer is", finish: "length" as const };
    const { end, asked } = await play([cut, DONE]);
    expect(end).toMatchObject({ status: "completed", result: { output: "Done." } });
    expect(asked[1]?.messages.at(-1)).toMatchObject({ role: "user", text: expect.stringContaining("length limit") });
    const given = await play([cut, cut, cut]);
    expect(given.end).toMatchObject({ status: "failed", cause: "length" });
  });

  it("counts work that was handed in as done, whatever becomes of the words that should follow", async () => {
    const handIn = (id: string) => ({ calls: [call(id, "report", { summary: "It is done." })] });
    const tools = [reportTool()];
    const done = { status: "completed", result: { output: "It is done.", outcome: "full" } };
    const refused = await play([handIn("r"), new ModelFailure("no_key", "The key is not accepted.")], { tools });
    expect(refused.end).toMatchObject(done);
    const again = await play(["1", "2", "3"].map(handIn), { tools, limits: { repeats: 3 } });
    expect(again.end).toMatchObject(done);
    const turns = await play([handIn("r")], { tools, limits: { turns: 1 } });
    expect(turns.end).toMatchObject(done);
  });

  it("is cancelled even then when somebody says so", async () => {
    const stop = new AbortController();
    const late = () => {
      stop.abort(new Error("Stop."));
      return Promise.reject(new ModelFailure("cancelled", ""));
    };
    const turns = [{ calls: [call("r", "report", { summary: "It is done." })] }, late];
    const { end } = await play(turns, { tools: [reportTool()], signal: stop.signal });
    expect(end.status).toBe("cancelled");
  });

  it("tells a model whose call was cut off to write less, and carries out nothing of it", async () => {
    let acted = 0;
    const write = tool("write", { changes: true, run: () => String(acted++) });
    const half = { calls: [call("w", "write", '{"path": "a.ts", "content": "aaaa')], finish: "length" as const };
    const { written } = await play([half, DONE], { tools: [write] });
    expect(written[1]).toMatchObject({ failed: true, output: expect.stringContaining("smaller pieces") });
    expect(acted).toBe(0);
  });

  it("fails with the reason when the model cannot be asked", async () => {
    const { end } = await play([new ModelFailure("no_key", "There is no key.")]);
    expect(end).toMatchObject({ status: "failed", error: "There is no key." });
  });

  it("is cancelled when it is told to stop, in the middle of a model call or a tool", async () => {
    const asking = new AbortController();
    const hung = () =>
      new Promise<never>((_, reject) => {
        asking.signal.addEventListener("abort", () => reject(new ModelFailure("cancelled", "gone")));
        asking.abort(new Error("Enough."));
      });
    expect((await play([hung], { signal: asking.signal })).end).toMatchObject({
      status: "cancelled",
      error: "Enough.",
    });
    const acting = new AbortController();
    const act = tool("act", {
      run: (_, { signal }) => {
        acting.abort(new Error("Stop."));
        signal.throwIfAborted();
        return "";
      },
    });
    const { end } = await play([{ calls: [call("a", "act")] }], { signal: acting.signal, tools: [act] });
    expect(end).toMatchObject({ status: "cancelled", error: "Stop." });
  });

  it("fails, and is not cancelled, when its time is over", async () => {
    const time = new AbortController();
    const late = () => {
      time.abort(Object.assign(new Error("The run took longer than its 60 seconds."), { name: "TimeoutError" }));
      return Promise.reject(new ModelFailure("cancelled", ""));
    };
    const { end } = await play([late], { signal: time.signal });
    expect(end).toMatchObject({ status: "failed", cause: "time" });
  });
});

describe("an agent that goes on from its journal", () => {
  it("does not ask again when the model has had its last word [S3-SES-03]", async () => {
    const { end, asked } = await play([], { journal: [begun, said(DONE), { type: "started", epoch: 2, at: "" }] });
    expect(end).toMatchObject({ status: "completed", result: { output: "Done." } });
    expect(asked).toEqual([]);
  });

  it("goes on after the last word when somebody has spoken since", async () => {
    const { end } = await play([{ text: "Changed." }], { journal: [begun, said(DONE)], messages: { 1: "One more." } });
    expect(end).toMatchObject({ result: { output: "Changed." } });
  });

  it("carries out the call it waited at and those behind it, but not one before it", async () => {
    const ran: string[] = [];
    const journal: JournalEntry[] = [begun, said({ calls: [call("a", "act"), call("b", "ask"), call("c", "act")] })];
    const act = tool("act", { changes: true, run: (_, { callId }) => String(ran.push(callId)) });
    const ask = tool("ask", { changes: true, repeatable: true, run: (_, { callId }) => String(ran.push(callId)) });
    const { written } = await play([DONE], { journal, tools: [act, ask], parkedAt: "b" });
    expect(ran).toEqual(["b", "c"]);
    expect(written.slice(0, 3)).toMatchObject([{ id: "a", failed: true }, { id: "b" }, { id: "c" }]);
  });

  it("does not repeat a call that was allowed and may have begun, unless who carries it out remembers it", async () => {
    const ran: string[] = [];
    const run = (_: unknown, { callId }: { callId: string }) => String(ran.push(callId));
    const tools = [
      tool("fetch", { repeatable: true, unremembered: true, run }),
      tool("child", { repeatable: true, run }),
    ];
    const asked = (id: string): JournalEntry[] => [{ type: "permit", id, state: "asked" }];
    const allowed = (id: string): JournalEntry[] => [...asked(id), { type: "permit", id, state: "allowed" }];
    const calls = [call("a", "fetch"), call("b", "child"), call("c", "fetch")];
    const journal = [begun, said({ calls }), ...allowed("a"), ...allowed("b"), ...asked("c")];
    const { written } = await play([DONE], { journal, tools });
    expect(ran).toEqual(["b", "c"]);
    expect(written[0]).toMatchObject({ id: "a", failed: true, output: expect.stringContaining("outcome unknown") });
  });

  it("tells the model that the outcome of an interrupted call is not known, and does not repeat it", async () => {
    let acted = 0;
    const journal: JournalEntry[] = [
      begun,
      said({ calls: [call("a", "act"), call("b", "act")] }),
      { type: "result", id: "a", name: "act", output: "done" },
    ];
    const tools = [tool("act", { changes: true, run: () => String(acted++) })];
    const { asked, written } = await play([DONE], { journal, tools });
    expect(acted).toBe(0);
    expect(written[0]).toMatchObject({
      type: "result",
      id: "b",
      failed: true,
      output: expect.stringContaining("outcome unknown"),
    });
    expect(asked[0]?.messages.at(-1)).toMatchObject({ role: "tool", results: [{ id: "a" }, { id: "b" }] });
  });

  it("tells the model of every call and its result once, whatever lines were lost or doubled [S3-SES-03]", async () => {
    const result = (id: string): JournalEntry => ({ type: "result", id, name: "look", output: `saw ${id}` });
    const journal = [
      begun,
      result("its call is lost"),
      said({ calls: [call("a", "look"), call("its result is lost", "look")] }),
      result("a"),
      said({ calls: [call("b", "look")] }),
      result("b"),
      result("b"),
    ];
    const { asked } = await play([DONE], { journal, tools: [tool("look")] });
    const results = asked[0]?.messages.map((message) => (message.role === "tool" ? message.results : message.role));
    expect(results).toEqual([
      "user",
      "assistant",
      [
        { id: "a", name: "look", output: "saw a", failed: false },
        { id: "its result is lost", name: "look", output: expect.stringContaining("was lost"), failed: true },
      ],
      "assistant",
      [{ id: "b", name: "look", output: "saw b", failed: false }],
    ]);
  });

  it("repeats an interrupted call that remembers its id", async () => {
    const seen: string[] = [];
    const tools = [
      tool("child", {
        repeatable: true,
        run: (_, { callId }) => {
          seen.push(callId);
          return "its answer";
        },
      }),
    ];
    const { written } = await play([DONE], { journal: [begun, said({ calls: [call("c", "child")] })], tools });
    expect(seen).toEqual(["c"]);
    expect(written[0]).toMatchObject({ type: "result", output: "its answer" });
  });

  it("counts turns, tokens and repeated calls of its earlier lives", async () => {
    const journal = [begun, ...[1, 2].flatMap((id) => turnOf(`c${id}`))];
    const { end } = await play([], { journal, limits: { repeats: 2 }, tools: [tool("look")] });
    expect(end).toMatchObject({ status: "failed", cause: "repeats" });
    const tokens = await play([], { journal, limits: { tokens: 30 } });
    expect(tokens.end).toMatchObject({ cause: "tokens" });
  });

  it("keeps a report that was handed in before", async () => {
    const input = { summary: "It is done." };
    const journal: JournalEntry[] = [
      begun,
      said({ calls: [call("r", "report", input)] }),
      { type: "result", id: "r", name: "report", output: "" },
    ];
    const { end } = await play([DONE], { journal, tools: [reportTool()] });
    expect(end).toMatchObject({ result: { output: "It is done.", outcome: "full" } });
  });
});

describe("a conversation that outgrows the model's window", () => {
  const long = (id: string) => ({
    calls: [call(id, "look", { id })],
    usage: { input: 900, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  });
  const summary = { text: "We looked at five files.", costUsd: 0.5 };

  it("is summarised once it is four fifths full; the last turns stay whole, and the summary is paid for [S3-SES-02]", async () => {
    const turns = [...["1", "2", "3", "4", "5"].map(long), summary, DONE];
    const { asked, written, end } = await play(turns, { contextWindow: 1_000, tools: [tool("look")] });
    expect(end.status).toBe("completed");
    expect(asked[5]).toMatchObject({ aside: true, tools: [] });
    expect(asked[5]?.messages[0]).toMatchObject({ text: expect.stringContaining("[user] Fix the login.") });
    const last = asked[6]?.messages ?? [];
    expect(last[0]).toEqual({ role: "user", text: "Fix the login." });
    expect(last[1]).toEqual({ role: "user", text: "Summary so far:\n\nWe looked at five files." });
    expect(last.filter(({ role }) => role === "assistant")).toHaveLength(4);
    expect(written.find(({ type }) => type === "summary")).toMatchObject({ costUsd: 0.5, model: "m" });
  });

  it("is summarised and asked once more when the provider says that it is too long", async () => {
    const tooLong = new ModelFailure("too_long", "prompt is too long");
    const look = (id: string) => ({ calls: [call(id, "look", { id })] });
    const { asked, end } = await play([look("1"), look("2"), tooLong, summary, DONE], { tools: [tool("look")] });
    expect(end.status).toBe("completed");
    expect(asked.map(({ aside }) => aside)).toEqual([false, false, false, true, false]);
    const hopeless = await play([tooLong, tooLong]);
    expect(hopeless.end).toMatchObject({ status: "failed", error: "prompt is too long" });
  });

  it("is summarised whole when the provider finds its only turn too long", async () => {
    const tooLong = new ModelFailure("too_long", "Too long.");
    const turns = [long("a"), tooLong, { text: "It saw a." }, DONE];
    const { end, asked } = await play(turns, { tools: [tool("look")] });
    expect(end.status).toBe("completed");
    expect(asked.at(-1)?.messages).toEqual([
      { role: "user", text: "Fix the login." },
      { role: "user", text: expect.stringContaining("It saw a.") },
    ]);
  });

  it("goes on without a summary when nobody can make one", async () => {
    const turns = [...["1", "2", "3", "4", "5"].map(long), new ModelFailure("refused", "no"), DONE];
    const { asked, end } = await play(turns, { contextWindow: 1_000, tools: [tool("look", { files: ["a.ts"] })] });
    expect(end.status).toBe("completed");
    expect(asked[6]?.messages[1]).toMatchObject({
      text: expect.stringMatching(/could not be summarized \(no\).*a\.ts/),
    });
  });

  it("is told the same after a restart as before it", async () => {
    const turns = [...["1", "2", "3", "4", "5"].map(long), summary, new ModelFailure("broken", "The line is dead.")];
    const before = await play(turns, { contextWindow: 1_000, tools: [tool("look")] });
    expect(before.end.status).toBe("failed");
    const { asked } = await play([DONE], { journal: [begun, ...before.written] });
    expect(asked[0]?.messages).toEqual(before.asked.at(-1)?.messages);
  });
});

function turnOf(id: string): JournalEntry[] {
  return [said({ calls: [call(id, "look", { path: "a" })] }), { type: "result", id, name: "look", output: "" }];
}
