import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelRequest } from "../../contract/runs/model-call.ts";
import { type Target, toCallOptions } from "../call-options.ts";
import { EventReader } from "./event-reader.ts";
import type { AnswerHead, AnswerListener, Post } from "./transport.ts";
import { type AnswerReader, nonsense, type WireFormat } from "./wire-format.ts";

type Emit = (part: LanguageModelV4StreamPart) => void;

/** One model of one provider. */
export interface Model {
  /** Hands on the parts of the answer as they come. Rejects with whatever the provider or the network said. */
  stream(request: ModelRequest, target: Target, call: { signal: AbortSignal; emit: Emit }): Promise<void>;
}

/** Asks through the provider's package alone. */
export function packageModel(model: LanguageModelV4): Model {
  return {
    stream: async (request, target, { signal, emit }) => {
      const { stream } = await model.doStream(toCallOptions(request, target, signal));
      for await (const part of stream) emit(part);
    },
  };
}

/** Everything of a request but its conversation, as the package makes it. */
interface Envelope {
  url: URL;
  headers: Record<string, string>;
  /** The body up to the first message of the conversation. */
  head: string;
}

/** An envelope as it is sent with every turn: as bytes, which need not be written again from a text each time. */
interface Opening extends Omit<Envelope, "head"> {
  head: Uint8Array;
  /** Whether there are messages in it already. */
  isBegun: boolean;
}

/** An envelope for any system text, which comes between the two parts of its head. */
interface Template extends Omit<Envelope, "head"> {
  before: string;
  after: string;
}

/** Stands for the system text while the package makes a request. */
const SYSTEM_TEXT = "system-text-7b1d4b0e5f3a4c0d";
const MOST_TEMPLATES = 100;

/** The package's request, caught where it would have been sent. */
class Caught extends Error {
  readonly request: { url: string; headers: Record<string, string>; body: string };

  constructor(request: Caught["request"]) {
    super("a request was caught");
    this.request = request;
  }
}

/** What a package is given in place of `fetch`, so that it makes a request and sends nothing. */
export const catching: typeof fetch = async (input, init = {}) => {
  throw new Caught({
    url: input instanceof Request ? input.url : String(input),
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof init.body === "string" ? init.body : "",
  });
};

/**
 * Asks with the package's knowledge of the provider, and without its cost: the package makes the request of a conversation
 * that has only begun, once, and its settings are used for every turn. Messages are put into words once each, and
 * answers are read as they come from the network.
 */
export class DirectModel implements Model {
  readonly #model: LanguageModelV4;
  readonly #format: WireFormat;
  readonly #post: Post;
  readonly #openings = new WeakMap<readonly object[], { frame: Frame; opening: Opening }>();
  /** By everything of a frame but its system text; undefined where the package makes more of that than to put it in. */
  readonly #templates = new Map<string, Template | undefined>();

  /** `model`: made with `catching` in place of `fetch`. */
  constructor(model: LanguageModelV4, format: WireFormat, post: Post) {
    this.#model = model;
    this.#format = format;
    this.#post = post;
  }

  async stream(request: ModelRequest, target: Target, { signal, emit }: { signal: AbortSignal; emit: Emit }) {
    const { url, headers, head, isBegun } = await this.#opening(request, target);
    const { settled, open } = this.#format.messages(request.messages);
    const listener = new StreamListener(this.#format.reader(emit));
    const between = (isNeeded: boolean) => (isNeeded ? "," : "");
    const body = [
      head,
      between(isBegun && !(settled.isEmpty && open === "")),
      settled.bytes,
      `${between(!settled.isEmpty && open !== "")}${open}]}`,
    ];
    await this.#post({ url, headers, body, signal }, listener);
    listener.end();
  }

  async #opening(request: ModelRequest, target: Target): Promise<Opening> {
    const known = this.#openings.get(request.messages);
    const frame = frameOf(request, target);
    if (known?.frame.every((value, at) => value === frame[at])) return known.opening;
    const { head, ...rest } = await this.#fill(request, target, frame);
    const opening = { ...rest, head: Buffer.from(head), isBegun: !head.endsWith("[") };
    this.#openings.set(request.messages, { frame, opening });
    return opening;
  }

  /** Runs of one role differ in their system text alone: the package is asked for the first of them. */
  async #fill(request: ModelRequest, target: Target, [system, ...rest]: Frame): Promise<Envelope> {
    if (system === "") return this.#makeEnvelope(request, target);
    const key = JSON.stringify(rest);
    const known = this.#templates.get(key);
    if (known !== undefined) return filled(known, request.system);
    const envelope = await this.#makeEnvelope(request, target);
    if (this.#templates.has(key)) return envelope;
    const template = templateOf(await this.#makeEnvelope({ ...request, system: SYSTEM_TEXT }, target));
    const isExact = template !== undefined && filled(template, request.system).head === envelope.head;
    if (this.#templates.size >= MOST_TEMPLATES) this.#templates.clear();
    this.#templates.set(key, isExact ? template : undefined);
    return envelope;
  }

  async #makeEnvelope(request: ModelRequest, target: Target): Promise<Envelope> {
    const begun = { ...request, messages: [{ role: "user" as const, text: "Begin." }] };
    try {
      await this.#model.doStream(toCallOptions(begun, target, new AbortController().signal));
    } catch (error) {
      if (!(error instanceof Caught)) throw error;
      const { url, headers, body } = error.request;
      const { messages, ...rest } = JSON.parse(body) as { messages: object[] };
      const head = JSON.stringify({ ...rest, messages: messages.slice(0, -1) });
      return { url: new URL(url), headers, head: head.slice(0, -"]}".length) };
    }
    throw new Error("The provider's package made no request.");
  }
}

/** What an envelope is made of. */
type Frame = readonly unknown[];

function frameOf({ system, tools, thinking, temperature, maxTokens }: ModelRequest, { without }: Target): Frame {
  return [system, tools, thinking, temperature, maxTokens, [...without].join()];
}

function templateOf({ head, ...rest }: Envelope): Template | undefined {
  const [before, after, ...more] = head.split(JSON.stringify(SYSTEM_TEXT));
  return before === undefined || after === undefined || more.length > 0 ? undefined : { ...rest, before, after };
}

function filled({ before, after, ...rest }: Template, system: string): Envelope {
  return { ...rest, head: `${before}${JSON.stringify(system.toWellFormed())}${after}` };
}

/** Reads an answer: events of a stream, or what the provider says in place of one. */
class StreamListener implements AnswerListener {
  readonly #reader: AnswerReader;
  readonly #events = new EventReader((data) => this.#hear(data));
  readonly #refusal: Uint8Array[] = [];
  #head: AnswerHead | undefined;

  constructor(reader: AnswerReader) {
    this.#reader = reader;
  }

  begin(head: AnswerHead): void {
    this.#head = head;
  }

  piece(bytes: Uint8Array): void {
    if (this.#isRefused) this.#refusal.push(bytes);
    else this.#events.push(bytes);
  }

  end(): void {
    const { status: statusCode, statusText: message, headers: responseHeaders } = this.#head ?? NO_ANSWER;
    if (this.#isRefused)
      throw { statusCode, message, responseHeaders, responseBody: Buffer.concat(this.#refusal).toString() };
    this.#reader.end();
  }

  get #isRefused(): boolean {
    const { status } = this.#head ?? NO_ANSWER;
    return status < 200 || status >= 300;
  }

  #hear(data: string): void {
    if (data === "[DONE]") return;
    this.#reader.read(parsed(data));
  }
}

const NO_ANSWER: AnswerHead = { status: 0, statusText: "", headers: {} };

function parsed(data: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw nonsense("A part of the stream is not JSON");
  }
  if (typeof value !== "object" || value === null) throw nonsense("A part of the stream is not an object");
  return value as Record<string, unknown>;
}
