import { redactedCalls, redactedThoughts } from "../agent/redacted-entry.ts";
import {
  type Delta,
  type Message,
  type ModelAnswer,
  ModelFailure,
  type ModelRequest,
} from "../contract/runs/model-call.ts";
import type { Caller } from "../models/budget/admission.ts";
import type { ModelGate } from "../models/gate.ts";
import { growing } from "../models/growing.ts";
import type { RedactedStream, Redactor } from "../store/secrets/redaction.ts";

type Gate = Pick<ModelGate, "ask">;

const MOST_SYSTEMS = 200;

/**
 * The gate, with no secret of the project or of the daemon passing it in either direction. What a call writes stays as
 * the model wrote it, known secrets excepted: a file may hold what only looks like one.
 */
export function redactedGate(gate: Gate, redactorOf: (projectId: string) => Redactor): Gate {
  const views = new WeakMap<Redactor, View>();
  const viewOf = (redactor: Redactor): View => {
    const view = views.get(redactor) ?? viewThrough(redactor);
    views.set(redactor, view);
    return view;
  };
  return {
    ask: async (request: ModelRequest, caller: Caller): Promise<ModelAnswer> => {
      const redactor = redactorOf(caller.projectId);
      const view = viewOf(redactor);
      const shown = { ...request, system: view.system(request.system), messages: view.messages(request.messages) };
      const deltas = new RedactedDeltas(redactor, caller.onDelta);
      let shownAnswer: ModelAnswer | undefined;
      const show = (answer: ModelAnswer): ModelAnswer => {
        deltas.flush();
        shownAnswer ??= redactedAnswer(answer, redactor);
        return shownAnswer;
      };
      const told = {
        ...caller,
        onDelta: (delta: Delta) => deltas.push(delta),
        onAnswer: (answer: ModelAnswer) => caller.onAnswer?.(show(answer)),
      };
      try {
        return show(await gate.ask(shown, told));
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        throw new ModelFailure(error.kind, redactor.text(error.message), error.retryAfterMs);
      }
    },
  };
}

interface View {
  system(text: string): string;
  messages(all: readonly Message[]): Message[];
}

/** A conversation is sent again with every turn; what was looked at is not looked at again. */
function viewThrough(redactor: Redactor): View {
  const systems = new Map<string, string>();
  return {
    system: (text) => {
      const shown = systems.get(text) ?? redactor.text(text);
      if (systems.size >= MOST_SYSTEMS) systems.clear();
      systems.set(text, shown);
      return shown;
    },
    messages: growing<Message, Message[]>(
      () => [],
      (shown, message) => {
        shown.push(redactedMessage(message, redactor));
        return shown;
      },
    ),
  };
}

function redactedMessage(message: Message, redactor: Redactor): Message {
  switch (message.role) {
    case "user":
      return { ...message, text: redactor.text(message.text) };
    case "tool":
      return {
        ...message,
        results: message.results.map((result) => ({ ...result, output: redactor.text(result.output) })),
      };
    case "assistant":
      return {
        ...message,
        text: redactor.text(message.text),
        thinking: redactedThoughts(message.thinking, redactor),
        calls: redactedCalls(message.calls, (input) => redactor.json(input)),
      };
  }
}

function redactedAnswer(answer: ModelAnswer, redactor: Redactor): ModelAnswer {
  return {
    ...answer,
    text: redactor.text(answer.text),
    thinking: redactedThoughts(answer.thinking, redactor),
    calls: redactedCalls(answer.calls, (input) => redactor.knownInJson(input)),
  };
}

/** What is watched live comes in pieces that may cut a secret anywhere. */
class RedactedDeltas {
  readonly #redactor: Redactor;
  readonly #tell: (delta: Delta) => void;
  #streams: Record<"text" | "thinking", RedactedStream>;

  constructor(redactor: Redactor, tell: (delta: Delta) => void) {
    this.#redactor = redactor;
    this.#tell = tell;
    this.#streams = { text: redactor.stream(), thinking: redactor.stream() };
  }

  push(delta: Delta): void {
    switch (delta.kind) {
      case "text":
      case "thinking":
        this.#say(delta.kind, this.#streams[delta.kind].push(delta.text));
        break;
      case "call":
        this.flush();
        this.#tell(delta);
        break;
      case "restart":
        this.#streams = { text: this.#redactor.stream(), thinking: this.#redactor.stream() };
        this.#tell({ ...delta, reason: this.#redactor.text(delta.reason) });
    }
  }

  flush(): void {
    this.#say("thinking", this.#streams.thinking.end());
    this.#say("text", this.#streams.text.end());
  }

  #say(kind: "text" | "thinking", text: string): void {
    if (text !== "") this.#tell({ kind, text });
  }
}
