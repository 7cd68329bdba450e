import { expect, it } from "vitest";
import {
  type Delta,
  type Message,
  type ModelAnswer,
  ModelFailure,
  type ModelRequest,
} from "../contract/runs/model-call.ts";
import { Redactor } from "../store/secrets/redaction.ts";
import { redactedGate } from "./redacted-gate.ts";

const ANSWER: ModelAnswer = {
  text: "Done.",
  thinking: [],
  calls: [],
  finish: "end",
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  model: "bench/model",
  costUsd: 0,
};

const user = (text: string): Message => ({ role: "user", text });

class CountingRedactor extends Redactor {
  readonly looked: string[] = [];

  override text(text: string): string {
    this.looked.push(text);
    return super.text(text);
  }
}

function gateWith(redactor: () => Redactor) {
  const asked: ModelRequest[] = [];
  const gate = redactedGate(
    {
      ask: async (request) => {
        asked.push({ ...request, messages: [...request.messages] });
        return ANSWER;
      },
    },
    () => redactor(),
  );
  const ask = (messages: Message[]) =>
    gate.ask(
      { model: "bench/model", thinking: "off", system: "Be careful with tulips-and-roses.", tools: [], messages },
      { projectId: "shop", signal: new AbortController().signal, onDelta: () => undefined },
    );
  return { asked, ask };
}

it("looks at each message of a conversation once, however often it is sent", async () => {
  const redactor = new CountingRedactor([{ name: "PASS", value: "tulips-and-roses" }]);
  const { asked, ask } = gateWith(() => redactor);
  const messages = [user("first, tulips-and-roses")];
  await ask(messages);
  messages.push(user("second, tulips-and-roses"));
  await ask(messages);
  expect(redactor.looked.filter((text) => text.startsWith("first"))).toHaveLength(1);
  expect(redactor.looked.filter((text) => text.startsWith("Be careful"))).toHaveLength(1);
  expect(asked.at(-1)?.system).toBe("Be careful with [secret: PASS].");
  expect(asked.at(-1)?.messages).toEqual([user("first, [secret: PASS]"), user("second, [secret: PASS]")]);
});

it("hides in the whole conversation what has become a secret meanwhile", async () => {
  let redactor = new Redactor([]);
  const { asked, ask } = gateWith(() => redactor);
  const messages = [user("the word is daisies-and-oaks")];
  await ask(messages);
  redactor = new Redactor([{ name: "PASS", value: "daisies-and-oaks" }]);
  await ask(messages);
  expect(asked.map((request) => request.messages[0])).toEqual([
    user("the word is daisies-and-oaks"),
    user("the word is [secret: PASS]"),
  ]);
});

it("shows a conversation that was cut and told anew as it is now", async () => {
  const redactor = new Redactor([]);
  const { asked, ask } = gateWith(() => redactor);
  const messages = [user("first"), user("second")];
  await ask(messages);
  messages.length = 1;
  messages.push(user("another"));
  await ask(messages);
  expect(asked.at(-1)?.messages).toEqual([user("first"), user("another")]);
});

it("hides secrets in what the provider says when it refuses a call", async () => {
  const redactor = new Redactor([{ name: "PASS", value: "tulips-and-roses" }]);
  const refuse = async () => {
    throw new ModelFailure("refused", "no access with tulips-and-roses", 7);
  };
  const gate = redactedGate({ ask: refuse }, () => redactor);
  const asked = gate.ask(
    { model: "bench/model", thinking: "off", system: "", tools: [], messages: [user("hello")] },
    { projectId: "shop", signal: new AbortController().signal, onDelta: () => undefined },
  );
  await expect(asked).rejects.toMatchObject({
    kind: "refused",
    message: "no access with [secret: PASS]",
    retryAfterMs: 7,
  });
});

it("hides known secrets in the calls of an answer, and in the reason why a call is made again", async () => {
  const redactor = new Redactor([{ name: "PASS", value: "tulips-and-roses" }]);
  const told: Delta[] = [];
  const input = JSON.stringify({ path: "a.md", content: "tulips-and-roses" });
  const gate = redactedGate(
    {
      ask: async (_, { onDelta, onAnswer }) => {
        onDelta({ kind: "restart", reason: "it did not like tulips-and-roses", waitMs: 5 });
        const answer = { ...ANSWER, calls: [{ id: "1", name: "write", input }] };
        onAnswer?.(answer);
        return answer;
      },
    },
    () => redactor,
  );
  const handed: ModelAnswer[] = [];
  const { calls } = await gate.ask(
    { model: "bench/model", thinking: "off", system: "", tools: [], messages: [user("hello")] },
    {
      projectId: "shop",
      signal: new AbortController().signal,
      onDelta: (delta) => void told.push(delta),
      onAnswer: (answer) => void handed.push(answer),
    },
  );
  expect(calls.map((call) => JSON.parse(call.input))).toEqual([{ path: "a.md", content: "[secret: PASS]" }]);
  expect(handed.map((answer) => answer.calls)).toEqual([calls]);
  expect(told).toEqual([{ kind: "restart", reason: "it did not like [secret: PASS]", waitMs: 5 }]);
});
