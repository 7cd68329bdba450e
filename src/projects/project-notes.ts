import { MemoryFiles } from "../agent/tools/memory-files.ts";
import { HallError } from "../contract/errors.ts";
import { charactersIn } from "../contract/words/tokens.ts";
import type { Files } from "../store/files/files.ts";
import { MEMORY_FOLDER, projectOfNotes } from "../workspace/knowledge/memory-rules.ts";

const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * What the main agent noted from projects, for its prompt: each line is quoted, so that none of them can pass for a
 * heading or a rule. The newest first; what does not fit is left out, and named.
 */
export function notesText(files: Files, { isShown, tokens }: { isShown: (path: string) => boolean; tokens: number }) {
  const of = new MemoryFiles(files);
  const shown: string[] = [];
  const left: string[] = [];
  let room = charactersIn(tokens);
  for (const { path, project } of newestFirst(files, of, isShown)) {
    const text = quoted(project, read(of, path));
    room -= text.length;
    if (room < 0) left.push(path);
    else shown.push(text);
  }
  const rest = left.length === 0 ? [] : [`(omitted; read them with memory_read: ${left.slice(0, 20).join(", ")})`];
  return [...shown, ...rest].join("\n\n");
}

function newestFirst(files: Files, of: MemoryFiles, isShown: (path: string) => boolean) {
  const age = (path: string) => files.stamp(`${MEMORY_FOLDER}/${path}`)?.mtime ?? 0;
  return pathsIn(of)
    .flatMap((path) => {
      const project = projectOfNotes(path);
      return project === undefined || !isShown(path) ? [] : [{ path, project, at: age(path) }];
    })
    .sort((left, right) => right.at - left.at);
}

function quoted(project: string, text: string): string {
  const lines = text.trim().split(LINE_ENDS);
  return [`Project '${project}' said:`, ...lines.map((line) => `> ${line}`)].join("\n");
}

function pathsIn(of: MemoryFiles): string[] {
  return orElse(() => of.paths(), []);
}

function read(of: MemoryFiles, path: string): string {
  return orElse(() => of.read(path).text, "(cannot be read)");
}

/** A memory behind a link, or a file that is no text, is as good as none. */
function orElse<Value>(work: () => Value, fallback: Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof HallError) return fallback;
    throw error;
  }
}
