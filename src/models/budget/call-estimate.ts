import type { Price } from "../../contract/documents/config.ts";
import type { Spent } from "../../contract/runs/ledger.ts";
import type { Message, ModelRequest, ToolSpec } from "../../contract/runs/model-call.ts";
import { mostTokensIn } from "../../contract/words/tokens.ts";
import { growing } from "../growing.ts";
import { costOf } from "./prices.ts";

/** What a message costs beside its text. */
const FRAME = 16;
/** For a call that may answer at any length: most answers are far shorter. */
export const USUAL_OUTPUT = 4_096;

export type Estimate = Pick<Spent, "usd" | "input" | "output">;

/** A conversation is measured as it grows, and its tools once. */
const conversationBytes = growing<Message, number>(
  () => 0,
  (bytes, message) => bytes + messageBytes(message) + FRAME,
);
const measured = new WeakMap<object, number>();

/** An upper estimate of what a call will use, before it is sent. */
export function estimateCall(request: ModelRequest, price: Price | undefined): Estimate {
  const { system, tools, messages, maxTokens } = request;
  const bytes = Buffer.byteLength(system) + once(tools, toolBytes) + FRAME + conversationBytes(messages);
  const input = mostTokensIn(bytes);
  return pricedCall({ input, output: maxTokens ?? USUAL_OUTPUT }, price);
}

/** What broke off is paid for as far as it came; nobody says how much that was. */
export function guessBroken({ input }: Estimate, receivedBytes: number, price: Price | undefined): Estimate {
  return pricedCall({ input, output: mostTokensIn(receivedBytes) }, price);
}

/** Never less than what the last call of this kind really took. */
export function atLeast(estimate: Estimate, last: Estimate | undefined): Estimate {
  if (last === undefined) return estimate;
  return {
    usd: estimate.usd === null ? null : Math.max(estimate.usd, last.usd ?? 0),
    input: Math.max(estimate.input, last.input),
    output: Math.max(estimate.output, last.output),
  };
}

/** Written to a cache is the dearest that input can be. */
export function pricedCall({ input, output }: { input: number; output: number }, price: Price | undefined): Estimate {
  const dearest = price === undefined ? undefined : { ...price, input: Math.max(price.input, price.cacheWrite ?? 0) };
  return { usd: costOf({ input, output, cacheRead: 0, cacheWrite: 0, reasoning: 0 }, dearest), input, output };
}

function once<Thing extends object>(thing: Thing, measure: (thing: Thing) => number): number {
  const known = measured.get(thing);
  if (known !== undefined) return known;
  const bytes = measure(thing);
  measured.set(thing, bytes);
  return bytes;
}

function toolBytes(tools: readonly ToolSpec[]): number {
  return Buffer.byteLength(JSON.stringify(tools));
}

function messageBytes(message: Message): number {
  return Buffer.byteLength(message.role === "user" ? message.text : JSON.stringify(message));
}
