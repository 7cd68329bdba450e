import { GUARDING, type HookEvent, HookFile, HookName } from "../../contract/documents/hook.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Files } from "../../store/files/files.ts";
import { PolicyFile } from "../../workspace/policies/policy-file.ts";
import { HOOKS_FOLDER } from "./hook-places.ts";
import { brokenHook, type ListedHook, ownHook } from "./listed-hook.ts";

const FILE = /\.ya?ml$/;
const PROBLEM = { line: 1, kind: "document", severity: "invalid" } as const;
const SCHEMA = HookFile.nullable();

/** The files of hooks/, as they are there now. One that was broken by an edit keeps its earlier content until it is fixed. */
export class HookFiles {
  readonly #files: Files;
  readonly #known = new Map<string, { file: PolicyFile<typeof SCHEMA>; last?: HookFile | undefined }>();

  constructor(files: Files) {
    this.#files = files;
  }

  list(): { hooks: ListedHook[]; problems: Problem[] } {
    const names = this.#names();
    for (const path of this.#known.keys()) if (!names.includes(path)) this.#known.delete(path);
    const read = names.map((path) => this.#read(path));
    return { hooks: read.flatMap(({ hook }) => hook ?? []), problems: read.flatMap(({ problems }) => problems) };
  }

  /** Changes with everything in the folder's files. */
  stamp(): string {
    return this.#names()
      .map((path) => `${path} ${stampText(this.#files, path)}`)
      .join();
  }

  #names(): string[] {
    if (this.#files.stat(HOOKS_FOLDER)?.isDirectory() !== true) return [];
    const names = this.#files.names(HOOKS_FOLDER).filter((name) => FILE.test(name) && !name.startsWith("."));
    return names.toSorted().map((name) => `${HOOKS_FOLDER}/${name}`);
  }

  #read(path: string): { hook?: ListedHook; problems: Problem[] } {
    const known = this.#known.get(path) ?? { file: this.#file(path) };
    this.#known.set(path, known);
    const name = path.slice(HOOKS_FOLDER.length + 1).replace(FILE, "");
    const value = known.file.value();
    const [problem = this.#problem(path, name, value)] = known.file.problems();
    if (problem === undefined && value !== null) {
      known.last = value;
      return { hook: ownHook({ ...value, name }, "file"), problems: [] };
    }
    const problems = problem === undefined ? [] : [problem];
    const reason = problem?.reason ?? "";
    if (known.last !== undefined)
      return { hook: { ...ownHook({ ...known.last, name }, "file"), problem: reason }, problems };
    const event = this.#eventIn(path);
    return { problems, ...(event === undefined ? {} : { hook: brokenHook(name, event, reason) }) };
  }

  #problem(path: string, name: string, value: HookFile | null): Problem | undefined {
    if (value !== null) return nameProblem(path, name, value);
    const isFile = this.#files.stat(path)?.isFile() === true;
    const reason = isFile ? "the file is empty; it is not a hook" : "it is not a file; links are not followed";
    return { ...PROBLEM, file: path, reason };
  }

  #file(path: string): PolicyFile<typeof SCHEMA> {
    const words = "if it guards something, that is refused until it is fixed";
    return new PolicyFile(this.#files, { path, schema: SCHEMA, fallback: null, words });
  }

  /** The guarding event that a file which can't be used names, wherever and in whatever case. */
  #eventIn(path: string): HookEvent | undefined {
    try {
      const text = this.#files.text(path).replace(/^[ \t]*#.*$/gm, "");
      const words = new Set(text.toLowerCase().match(/\w+/g));
      return GUARDING.find((event) => words.has(event.toLowerCase()));
    } catch {
      return undefined;
    }
  }
}

export function stampText(files: Files, path: string): string {
  const stamp = files.stamp(path);
  return stamp === undefined ? "" : `${stamp.mtime} ${stamp.size} ${stamp.inode}`;
}

function nameProblem(file: string, name: string, value: HookFile): Problem | undefined {
  const base = { ...PROBLEM, file };
  if (!HookName.safeParse(name).success)
    return { ...base, reason: "its name must be lower-case letters, digits and hyphens; rename the file" };
  if (value.name !== undefined && value.name !== name)
    return { ...base, reason: `name: must be '${name}', the name of the file, or left out` };
  return undefined;
}
