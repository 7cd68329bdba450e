import type { Composer, Document, YAMLError } from "yaml";
import { errorText } from "../../contract/words/error-text.ts";
import { locateEntries } from "./yaml-entries.ts";
import { type LayoutOutcome, LIMITS } from "./yaml-layout.ts";
import { yaml } from "./yaml-package.ts";
import { convertRoot, Refusal } from "./yaml-values.ts";

/** Each collection stands once on the parser's stack, with a few other tokens around it. */
const STACK_LIMIT = 2 * LIMITS.depth;

const ADVICE: Partial<Record<YAMLError["code"], string>> = {
  BAD_SCALAR_START: "put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a value with ': ' in it must be in quotes",
  TAB_AS_INDENT: "indent with spaces",
};

/** Reads any YAML mapping within the limits, slowly. Never throws. */
export function readFull(source: string): LayoutOutcome {
  try {
    const { contents } = readDocument(source);
    return { ok: true, layout: { data: convertRoot(contents, source), entries: locateEntries(contents, source) } };
  } catch (error) {
    if (error instanceof Refusal) return refuse(source, error.offset, error.message);
    return refuse(source, 0, `the YAML cannot be read: ${errorText(error)}`);
  }
}

/**
 * Changes keys through the YAML document, which may reformat what it leaves alone.
 * Undefined when the document cannot be written again.
 */
export function rewriteFull(source: string, changes: ReadonlyMap<string, unknown>): string | undefined {
  try {
    const document = readDocument(source);
    if (!yaml().isMap(document.contents)) return undefined;
    for (const [key, value] of changes) {
      if (value === undefined) document.delete(key);
      else document.set(key, typeof value === "object" ? document.createNode(value) : value);
    }
    return document.toString({ lineWidth: 0, flowCollectionPadding: false });
  } catch {
    return undefined;
  }
}

function readDocument(source: string): Document.Parsed {
  // Keys that are there twice are found while converting: the package's own search takes quadratic time.
  const { Composer } = yaml();
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    strict: true,
    stringKeys: true,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: "silent",
  });
  stopAtFirstProblem(composer, source);
  const [document, second] = composer.compose(tokenize(source), true, source.length);
  if (!document) throw new Refusal(0, "the YAML is empty");
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw explain({ code: problem.code, message: problem.message, offset: problem.pos[0] }, source);
  if (second) throw new Refusal(second.range[0], "there is a second YAML document inside the frontmatter");
  if (document.directives.docStart) throw new Refusal(0, "a line starting with '--- ' is inside the frontmatter");
  return document;
}

/**
 * The package collects every error, with a stack trace each: seconds for a hostile file. One is enough here.
 * This reaches for a private field; should it go away, errors are still found, only later.
 */
function stopAtFirstProblem(composer: Composer, source: string): void {
  let first: Refusal | undefined;
  const onError = (at: number | [number, number] | { offset: number }, code: YAMLError["code"], message: string) => {
    const offset = typeof at === "number" ? at : Array.isArray(at) ? at[0] : at.offset;
    // The composer reports whatever is thrown inside a collection once more, as the collection's own error.
    first ??= explain({ code, message, offset }, source);
    throw first;
  };
  Object.assign(composer, { onError });
}

function* tokenize(source: string) {
  const { Lexer, Parser } = yaml();
  const parser = new Parser();
  let before = "";
  for (const lexeme of new Lexer().lex(source)) {
    if (isOpenQuote(lexeme, before)) throw new Refusal(parser.offset, "a quote that opens here is not closed");
    for (const token of parser.next(lexeme)) {
      if (token.type === "error") throw new Refusal(token.offset, `not valid YAML: ${token.message}`);
      yield token;
    }
    if (parser.stack.length > STACK_LIMIT) {
      throw new Refusal(parser.offset, `the frontmatter is nested deeper than ${LIMITS.depth} levels`);
    }
    before = lexeme;
  }
  yield* parser.end();
}

/** The package reports an open quote where the text ends, which is no help in finding it. */
function isOpenQuote(lexeme: string, before: string): boolean {
  const quote = lexeme.charAt(0);
  if ((quote !== '"' && quote !== "'") || before === yaml().CST.SCALAR) return false;
  return lexeme.length === 1 || !lexeme.endsWith(quote);
}

const OPEN_BRACKET = /^Flow (?:sequence|map) .*end with a ([\]}])/;

function explain(problem: { code: YAMLError["code"]; message: string; offset: number }, source: string): Refusal {
  const { code, message, offset } = problem;
  if (code === "TAG_RESOLVE_FAILED") return new Refusal(offset, `the tag is not allowed (${message})`);
  const bracket = OPEN_BRACKET.exec(message)?.[1];
  // The package reports it where the next line begins; what is missing belongs behind the last words before.
  if (bracket !== undefined)
    return new Refusal(source.slice(0, offset).trimEnd().length, `not valid YAML: a '${bracket}' is missing`);
  const advice = ADVICE[code];
  return new Refusal(offset, `not valid YAML: ${message}${advice ? ` (${advice})` : ""}`);
}

function refuse(source: string, offset: number, reason: string): { ok: false; line: number; reason: string } {
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < offset; at = source.indexOf("\n", at + 1)) line++;
  return { ok: false, line, reason };
}
