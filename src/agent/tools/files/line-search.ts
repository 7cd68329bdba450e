import { type Context, createContext, Script } from "node:vm";
import { HallError } from "../../../contract/errors.ts";

/** So long may one portion take; an honest expression needs a hundredth of it. */
const PORTION_MS = 500;
/** Of a longer line, the part around the match is shown. */
const LONGEST_SHOWN = 300;

const SEARCH = `(() => {
  const found = [];
  for (let part = 0; part < texts.length && found.length < most; part++) {
    const lines = texts[part].split("\\n");
    for (let at = 0; at < lines.length && found.length < most; at++) {
      const line = lines[at].endsWith("\\r") ? lines[at].slice(0, -1) : lines[at];
      const match = expression.exec(line);
      if (match === null) continue;
      const start = line.length <= longest ? 0 : Math.max(0, match.index - 100);
      const end = Math.min(line.length, start + longest);
      const text = (start > 0 ? "…" : "") + line.slice(start, end) + (end < line.length ? "…" : "");
      found.push({ part, line: at, text });
    }
  }
  return found;
})()`;
/** Compiled when it is first needed: Node can't keep it in a start-up snapshot. */
let compiled: Script | undefined;

export interface Match {
  /** Which of the texts it is in. */
  part: number;
  /** Lines before it in that text. */
  line: number;
  text: string;
}

/** Finds lines. An expression that would take for ever is stopped: models write such ones without meaning to. */
export class LineSearch {
  readonly #context: Context;
  readonly #portionMs: number;

  constructor(pattern: string, portionMs = PORTION_MS) {
    this.#portionMs = portionMs;
    this.#context = createContext({ expression: expressionOf(pattern), longest: LONGEST_SHOWN });
  }

  /** The first matches, at most so many. */
  find(texts: readonly string[], most: number): Match[] {
    Object.assign(this.#context, { texts, most });
    try {
      compiled ??= new Script(SEARCH);
      return compiled.runInContext(this.#context, { timeout: this.#portionMs }) as Match[];
    } catch (error) {
      if (isTimeout(error))
        throw new HallError("invalid", "Search stopped: the pattern takes too long.", {
          hint: "Use a simpler regular expression without nested repetition.",
        });
      throw unusable(error);
    }
  }
}

/** The failure may come from the other context, where Error is another class. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function unusable(error: unknown): HallError {
  const reason = (error as { message?: unknown } | undefined)?.message;
  return new HallError("invalid", `Invalid pattern: ${String(reason ?? error)}.`, {
    hint: "Escape literal characters with a backslash.",
  });
}

/** A leading (?i), known from other languages, is understood. */
function expressionOf(pattern: string): RegExp {
  const isLoose = pattern.startsWith("(?i)");
  const flags = (isLoose ? "i" : "") + (/\\[pP]\{|\\u\{/.test(pattern) ? "u" : "");
  try {
    return new RegExp(isLoose ? pattern.slice(4) : pattern, flags);
  } catch (error) {
    throw unusable(error);
  }
}
