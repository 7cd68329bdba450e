import { describe, expect, it } from "vitest";
import { plainRequest, user } from "../../../test/fakes/gate.ts";
import type { Delta, Message, ModelRequest } from "../../contract/runs/model-call.ts";
import type { SourceAnswer } from "../gate.ts";
import { offlineModel } from "./offline-model.ts";
import { closeness, Playbook } from "./playbook.ts";

const TOOLS = ["list", "read", "report"].map((name) => ({ name, description: "", inputSchema: {} }));
const PROMPT =
  "# Project Context\n\n## Task Files\n### src/login.ts\ncode\n### Notes of mine\n\n# Your Task\n\n**Title:** Fix the login\n";

function offline(playbooks: Record<string, object> = {}) {
  const known = new Map(Object.entries(playbooks).map(([name, playbook]) => [name, Playbook.parse(playbook)]));
  const slept: number[] = [];
  const source = offlineModel({
    playbooks: {
      named: (name) => known.get(name),
      fitting: (occasion) => [...known.values()].find((playbook) => closeness(playbook, occasion) > 0),
    },
    roleOf: (runId) => ({ id: runId, name: runId }),
    sleep: async (ms, signal) => {
      slept.push(ms);
      signal.throwIfAborted();
    },
  });
  const deltas: Delta[] = [];
  const signal = new AbortController().signal;
  const ask = (name: string, request: Partial<ModelRequest> = {}) =>
    source.ask({ ...plainRequest(`offline/${name}`), tools: TOOLS, messages: [user(PROMPT)], ...request }, name, {
      signal,
      onDelta: (delta) => deltas.push(delta),
    });
  return { source, ask, slept, deltas };
}

/** Carries out whatever the model calls until it ends its turn. */
async function wholeRun(ask: (messages: Message[]) => Promise<SourceAnswer>, outputOf: (name: string) => string) {
  const messages: Message[] = [user(PROMPT)];
  const answers: SourceAnswer[] = [];
  for (;;) {
    const answer = await ask(messages);
    answers.push(answer);
    if (answer.calls.length === 0) return answers;
    const { text, thinking, calls } = answer;
    const results = calls.map(({ id, name }) => ({ id, name, output: outputOf(name), failed: false }));
    messages.push({ role: "assistant", text, thinking, calls }, { role: "tool", results });
  }
}

describe("the offline model without a playbook", () => {
  const output = (name: string) => ({ list: "src/\nREADME.md", read: "1: one\n2: two" })[name] ?? "taken down";

  it("looks around, reads what the task names, hands in what it found and says what it is", async () => {
    const { ask } = offline();
    const answers = await wholeRun((messages) => ask("rehearsal", { messages }), output);
    const calls = answers.flatMap((answer) => answer.calls.map(({ name, input }) => [name, JSON.parse(input)]));
    expect(calls).toEqual([
      ["list", { path: "." }],
      ["read", { path: "src/login.ts" }],
      ["report", { summary: expect.any(String), outcome: "partial", artifacts: [] }],
    ]);
    const summary: string = calls[2]?.[1].summary;
    expect(summary).toContain("I'm Guildhall's offline model");
    expect(summary).toContain('"Fix the login" and changed nothing');
    expect(summary).toContain("- README.md");
    expect(summary).toContain("- src/login.ts: 2 lines");
    expect(answers[0]?.text).toContain("offline model");
  });

  it("does the same every time, from any point of the conversation on", async () => {
    const first = await wholeRun((messages) => offline().ask("rehearsal", { messages }), output);
    const { ask } = offline();
    expect(await wholeRun((messages) => ask("rehearsal", { messages }), output)).toEqual(first);
  });

  it("calls only tools it was shown, and is honest about what could not be read", async () => {
    const { ask } = offline();
    const messages: Message[] = [
      user(PROMPT),
      {
        role: "assistant",
        text: "",
        thinking: [],
        calls: [{ id: "r", name: "read", input: '{"path":"src/login.ts"}' }],
      },
      { role: "tool", results: [{ id: "r", name: "read", output: "There is no such file.\nmore", failed: true }] },
    ];
    const answer = await ask("rehearsal", { messages, tools: TOOLS.filter(({ name }) => name === "read") });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain("src/login.ts: could not be read (There is no such file.)");
  });

  it("answers a request without tools with a word about itself", async () => {
    const answer = await offline({ demo: { turns: [{ calls: [{ tool: "read" }] }] } }).ask("demo", { tools: [] });
    expect(answer).toMatchObject({ calls: [], finish: "end", text: expect.stringContaining("offline model") });
  });
});

describe("the offline model with a playbook", () => {
  const demo = {
    turns: [
      { text: "I read.", think: "Hm.", calls: [{ tool: "read", input: { path: "a" } }, { tool: "list" }] },
      { text: "It says {{last.read}}.", delayMs: 250 },
    ],
  };

  it("plays it turn by turn, with its pauses", async () => {
    const { ask, slept, deltas } = offline({ demo });
    const answers = await wholeRun(
      (messages) => ask("demo", { messages }),
      (name) => `<${name}>`,
    );
    expect(answers).toMatchObject([
      {
        text: "I read.",
        thinking: [{ text: "Hm." }],
        calls: [{ id: "offline-0-0" }, { id: "offline-0-1" }],
        finish: "calls",
      },
      { text: "It says <read>.", calls: [], finish: "end" },
    ]);
    expect(slept.reduce((sum, ms) => sum + ms)).toBeCloseTo(250);
    expect(deltas).toContainEqual({ kind: "thinking", text: "Hm." });
    expect(deltas.slice(-2)).toEqual([
      { kind: "text", text: "It says" },
      { kind: "text", text: " <read>." },
    ]);
  });

  it("speaks word by word where it takes its time, and loses no character of what it says", async () => {
    const text = "\n  One two,\n\nthree\tfour  five. \n";
    for (const delayMs of [0, 100, 1_000, 600_000]) {
      const { ask, slept, deltas } = offline({ slow: { turns: [{ text, think: text, delayMs }] } });
      await ask("slow");
      const said = (kind: string) =>
        deltas.flatMap((delta) => (delta.kind === kind && "text" in delta ? delta.text : []));
      expect([said("text").join(""), said("thinking").join("")]).toEqual([text, text]);
      expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(delayMs);
      expect(said("text")).toHaveLength(delayMs < 1_000 ? 1 : 5);
    }
  });

  it("plays one by itself for a prompt that it is meant for", async () => {
    const { ask } = offline({ login: { when: "Fix the login", turns: [{ text: "As rehearsed." }] } });
    expect((await ask("rehearsal")).text).toBe("As rehearsed.");
    expect((await ask("rehearsal", { messages: [user("Something else")] })).text).toContain("offline model");
  });

  it("goes on at the right turn when older turns have been summed up", async () => {
    const turns = [0, 1, 2, 3].map((number) => ({ text: `turn ${number}`, calls: [{ tool: "read" }] }));
    const { ask } = offline({ long: { turns } });
    const messages: Message[] = [
      user(PROMPT),
      user("Summary so far: much."),
      { role: "assistant", text: "turn 2", thinking: [], calls: [{ id: "offline-2-0", name: "read", input: "{}" }] },
      { role: "tool", results: [{ id: "offline-2-0", name: "read", output: "", failed: false }] },
    ];
    expect((await ask("long", { messages })).text).toBe("turn 3");
  });

  it("says when it is at its end, and what it does not have", async () => {
    const { ask, source } = offline({ demo: { turns: [{ text: "Only this." }] } });
    const messages: Message[] = [
      user("x"),
      { role: "assistant", text: "Only this.", thinking: [], calls: [] },
      user("And?"),
    ];
    expect((await ask("demo", { messages })).text).toContain("has ended");
    await expect(ask("missing")).rejects.toMatchObject({ kind: "unknown_model", message: /playbooks\/missing\.yml/ });
    expect(() => source.assertKnown?.("missing")).toThrow(/playbooks\/missing\.yml/);
    expect(() => source.assertKnown?.("rehearsal")).not.toThrow();
  });

  it("fails as often as it is told to, in every run anew, and each run for itself", async () => {
    const { ask } = offline({ flaky: { turns: [{ text: "At last.", fail: { kind: "busy", times: 2 } }] } });
    const outcomes = async (prompt: string, tries: number) => {
      const seen: string[] = [];
      for (let n = 0; n < tries; n++)
        seen.push(
          await ask("flaky", { messages: [user(prompt)] }).then(
            ({ text }) => text,
            ({ kind }) => kind,
          ),
        );
      return seen;
    };
    expect(await outcomes("first", 1)).toEqual(["busy"]);
    expect(await outcomes("second", 3)).toEqual(["busy", "busy", "At last."]);
    expect(await outcomes("first", 2)).toEqual(["busy", "At last."]);
    expect(await outcomes("first", 3)).toEqual(["busy", "busy", "At last."]);
  });

  it("can break its JSON and its answers", async () => {
    const { ask } = offline({
      bad: { turns: [{ calls: [{ tool: "read", rawInput: '{"path": ' }], finish: "length" }] },
    });
    expect(await ask("bad")).toMatchObject({ calls: [{ input: '{"path": ' }], finish: "length" });
  });
});
