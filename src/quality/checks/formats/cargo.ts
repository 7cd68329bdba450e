import { z } from "zod";
import type { CodeError, TestCase } from "../local-checks.ts";
import { bodyFailure, loadFailure } from "./failure-class.ts";
import {
  cutMessage,
  type Draft,
  identified,
  identifiedByName,
  MOST_CASES,
  MOST_ERRORS,
  type ParsedErrors,
  type ParsedTests,
  parsedJson,
  UNREADABLE,
} from "./parsed.ts";

const Message = z.object({
  reason: z.literal("compiler-message"),
  message: z.object({
    level: z.string(),
    message: z.string(),
    code: z.object({ code: z.string() }).nullish(),
    spans: z.array(z.object({ file_name: z.string(), line_start: z.number(), is_primary: z.boolean() })).catch([]),
  }),
});

const Finished = z.object({ reason: z.literal("build-finished"), success: z.boolean() });

const RUNNING = /^\s+(?:Running (?:unittests )?(\S{1,300}) \(|Doc-tests (\S{1,200}))/;
const RESULT = /^test (.{1,1000}?) \.\.\. (ok|FAILED|ignored)(?:[,\s].*)?$/;
const SECTION = /^---- (.{1,1000}?) stdout ----$/;
const PANIC = /^thread '.*' .*panicked at (?:'.*', )?([^:\s]{1,300}):(\d{1,7}):\d/;
const MOST_OUTPUT = 4_000;

/** `cargo check --message-format=json`. */
export function parseCargoMessages(source: string, folder: string): ParsedErrors {
  const errors: CodeError[] = [];
  let isFinished = false;
  for (const text of source.split("\n")) {
    if (!text.startsWith("{")) continue;
    const value = parsedJson(text);
    if (Finished.safeParse(value).success) isFinished = true;
    const found = Message.safeParse(value);
    if (!found.success || found.data.message.level !== "error" || errors.length >= MOST_ERRORS) continue;
    const { message, code, spans } = found.data.message;
    const span = spans.find((one) => one.is_primary);
    const isOwn = span !== undefined && !span.file_name.startsWith("/");
    errors.push({
      ...(isOwn ? { file: inFolder(folder, span.file_name), line: Math.max(1, span.line_start) } : {}),
      message: cutMessage(code == null ? message : `error[${code.code}]: ${message}`),
    });
  }
  // A library is compiled for itself and for its tests.
  const once = [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()];
  return isFinished ? { errors: once } : { errors: once, isUnreadable: true };
}

/**
 * `cargo test --message-format=json`: compiler messages, then what libtest prints. Its lines `test NAME ... ok` are the
 * surface that is stable; its JSON is not.
 */
export function parseCargoTest(source: string, folder: string): ParsedTests {
  const { errors } = parseCargoMessages(source, folder);
  if (errors.length > 0)
    return {
      tests: identified(
        errors.map(({ message, ...place }) => ({
          ...place,
          name: "(build)",
          status: "failed",
          message,
          failure: loadFailure(message),
        })),
      ),
    };
  const drafts: Draft[] = [];
  const sections = new Map<string, string>();
  let binary = "";
  let section: string | undefined;
  let isOver = false;
  for (const line of source.split("\n")) {
    if (line.startsWith("{")) continue;
    const running = RUNNING.exec(line);
    if (running !== null) binary = running[1] ?? `doc ${running[2]}`;
    if (line.startsWith("test result: ")) isOver = true;
    if (running !== null || line.startsWith("test result: ") || line.trim() === "failures:") section = undefined;
    const started = SECTION.exec(line);
    if (started !== null) section = `${binary} ${started[1]}`;
    else if (section !== undefined)
      sections.set(section, `${sections.get(section) ?? ""}${line}\n`.slice(0, MOST_OUTPUT));
    const result = RESULT.exec(line);
    if (result === null || drafts.length >= MOST_CASES) continue;
    const own = (result[1] ?? "").replace(/ - should panic$/, "");
    drafts.push({ name: `${binary} ${own}`, status: STATUSES[result[2] ?? ""] ?? "failed" });
  }
  if (!isOver) return UNREADABLE;
  const placed = drafts.map((draft) => (draft.status === "failed" ? failedAt(draft, sections, folder) : draft));
  return { tests: identifiedByName(placed) };
}

function failedAt(draft: Draft, sections: ReadonlyMap<string, string>, folder: string): Draft {
  const message = (sections.get(draft.name) ?? "").trim();
  const panic = message
    .split("\n")
    .map((line) => PANIC.exec(line))
    .find((found) => found !== null);
  const place =
    panic == null || panic[1]?.startsWith("/")
      ? {}
      : { file: inFolder(folder, panic[1] ?? ""), line: Number(panic[2]) };
  return { ...draft, ...place, message, failure: bodyFailure(message) };
}

const STATUSES: Readonly<Record<string, TestCase["status"]>> = { ok: "passed", FAILED: "failed", ignored: "skipped" };

function inFolder(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}
