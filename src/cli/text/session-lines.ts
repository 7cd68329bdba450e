import type { ShownEntry } from "../../contract/runs/session.ts";
import { RunSteps, type StepSpace } from "../runs/run-steps.ts";
import { agentExcerpt, speakerName } from "./agent-words.ts";
import { manyLines, oneLine } from "./plain-text.ts";
import { localTime } from "./text-card.ts";

type Entry<Type extends ShownEntry["type"]> = Extract<ShownEntry, { type: Type }>;

/** A session as lines for people: who said what, and a call together with its result. Entries must come in its order. */
export class SessionLines {
  readonly #space: StepSpace;
  readonly #steps: RunSteps;

  constructor(space: StepSpace) {
    this.#space = space;
    this.#steps = new RunSteps(space);
  }

  of(entry: ShownEntry): string[] {
    switch (entry.type) {
      case "message":
        return [...this.rest(), ...this.#message(entry)];
      case "summary":
        return [...this.rest(), ...this.#summary(entry)];
      case "ended":
        return [...this.rest(), ...this.#end(entry)];
      case "answer":
      case "failure":
      case "waiting":
      case "resumed":
      case "hook":
      case "result":
        return this.#steps.lines(entry);
      default:
        // What a newer daemon writes.
        return [];
    }
  }

  /** What the model said last, which may still be held back. */
  rest(): string[] {
    return this.#steps.held();
  }

  #message({ from, channel, text, at, quiet }: Entry<"message">): string[] {
    const { paint } = this.#space;
    const who = speakerName(from, `project ${channel.id}`);
    const where = from === "person" ? ` in ${channel.type}/${channel.id}` : "";
    const heading = oneLine(`${who}${where}${quiet === true ? " (FYI)" : ""}`);
    return ["", `${paint("bold", heading)} ${paint("dim", localTime(at))}`, ...agentExcerpt(text.trim(), this.#space)];
  }

  #summary({ text, previous }: Entry<"summary">): string[] {
    const { paint } = this.#space;
    const heading = paint("dim", `Earlier entries are in ${oneLine(previous)}. Summary:`);
    return [heading, ...agentExcerpt(text.trim(), this.#space)];
  }

  #end({ outcome, error }: Entry<"ended">): string[] {
    if (outcome === "answered") return [];
    const reason = error === undefined ? "" : `: ${manyLines(error)}`;
    return [this.#space.paint("red", `■ ${outcome}${reason}`)];
  }
}
