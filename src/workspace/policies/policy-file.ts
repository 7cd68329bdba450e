import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import type { Problem } from "../../contract/problem.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { Files } from "../../store/files/files.ts";
import { KeptReading } from "../../store/files/kept-reading.ts";
import { describeIssue } from "../hall/issues.ts";

const LARGEST = 1_000_000;

interface Reading<Value> {
  value: Value;
  problem?: Problem | undefined;
}

/**
 * A YAML file of policies/ that people edit. Read again whenever it changed; while it is broken the fallback applies, and the
 * problem says where.
 */
export class PolicyFile<Schema extends z.ZodType> {
  readonly #files: Files;
  readonly #path: string;
  readonly #schema: Schema;
  readonly #fallback: z.output<Schema>;
  readonly #words: string;
  readonly #readings = new KeptReading<Reading<z.output<Schema>>>(1);
  #read: { text: string; reading: Reading<z.output<Schema>> } | undefined;

  /** `words`: what applies while the file is broken. */
  constructor(
    files: Files,
    {
      path,
      schema,
      fallback,
      words = "the defaults apply",
    }: { path: string; schema: Schema; fallback: z.output<Schema>; words?: string },
  ) {
    this.#files = files;
    this.#path = path;
    this.#schema = schema;
    this.#fallback = fallback;
    this.#words = words;
  }

  value(): z.output<Schema> {
    return this.#reading().value;
  }

  problems(): Problem[] {
    const { problem } = this.#reading();
    return problem === undefined ? [] : [problem];
  }

  #reading(): Reading<z.output<Schema>> {
    try {
      return this.#readings.of(`${this.#files.root}/${this.#path}`, () => this.#readFile());
    } catch {
      return this.#broken("the file can't be read", 1);
    }
  }

  #readFile(): Reading<z.output<Schema>> {
    const size = this.#files.stat(this.#path)?.size;
    if (size === undefined) return { value: this.#fallback };
    if (size > LARGEST) return this.#broken("the file is too large", 1);
    const text = this.#files.text(this.#path);
    if (this.#read?.text === text) return this.#read.reading;
    const reading = this.#parse(text);
    this.#read = { text, reading };
    return reading;
  }

  #parse(text: string): Reading<z.output<Schema>> {
    const lines = new LineCounter();
    const document = parseDocument(text, { uniqueKeys: true, strict: true, lineCounter: lines });
    const fault = document.errors[0];
    if (fault !== undefined) return this.#broken("it is not YAML", fault.linePos?.[0].line ?? 1);
    const value: unknown = contentOf(document) ?? {};
    const parsed = this.#schema.safeParse(value, { error: plainWords });
    if (parsed.success) return { value: parsed.data };
    const { path, reason } = describeIssue(parsed.error);
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    const line = node?.range === undefined ? 1 : lines.linePos(node.range[0]).line;
    return this.#broken(reason, line);
  }

  #broken(reason: string, line: number): Reading<z.output<Schema>> {
    const problem: Problem = {
      file: this.#path,
      line,
      kind: "document",
      severity: "invalid",
      reason: `${reason}; ${this.#words}`,
    };
    return { value: this.#fallback, problem };
  }
}

function contentOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch {
    return "aliases";
  }
}
