import type { Host, Sink } from "./host.ts";
import { colored, type Paint, plain } from "./text/paint.ts";
import { harmlessJson } from "./text/plain-text.ts";
import type { TableSpace } from "./text/text-table.ts";
import { wrapLabelled } from "./text/text-wrap.ts";

export interface Output extends TableSpace {
  json: boolean;
  /** How this program is called, as a shell reads it. */
  calledAs: string;
  /** The answer of a command: with --json the document, else the text for people, whose long lines are broken. */
  answer: (document: unknown, text: () => string) => void;
  /** One of an endless row of documents, or a text that must stay exactly as it is. */
  row: (document: unknown, text: () => string) => void;
  /** Something beside the answer, on standard error. */
  note: (text: string) => void;
}

export interface OutputChoice {
  json: boolean;
  color: boolean;
}

export function createOutput(host: Host, choice: OutputChoice): Output {
  const write = (text: string) => host.out.write(`${text}\n`);
  const width = widthOf(host.out, host.env);
  return {
    json: choice.json,
    calledAs: host.calledAs,
    width,
    paint: paintFor(host.out, host.env, choice),
    answer: (document, text) => {
      if (choice.json) return write(jsonText(document, host.out.isTerminal ? 2 : 0));
      write(wrapLabelled(text(), width));
    },
    row: (document, text) => write(choice.json ? jsonText(document, 0) : text()),
    note: (text) => host.err.write(`${text}\n`),
  };
}

export function paintFor(sink: Sink, env: NodeJS.ProcessEnv, { color, json }: OutputChoice): Paint {
  const wanted = color && !json && !env.NO_COLOR && env.TERM !== "dumb";
  return wanted && sink.isTerminal ? colored : plain;
}

/** A pipe has no width; COLUMNS gives it one. */
export function widthOf(sink: Sink, env: NodeJS.ProcessEnv): number | undefined {
  const asked = Number(env.COLUMNS);
  if (sink.isTerminal && sink.columns) return sink.columns;
  return Number.isInteger(asked) && asked > 0 ? asked : undefined;
}

function jsonText(document: unknown, indent: number): string {
  return harmlessJson(JSON.stringify(document, null, indent));
}
