import { LineCounter, parseDocument } from "yaml";
import { ModelFailure } from "../../contract/runs/model-call.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { Files } from "../../store/files/files.ts";
import { describeIssue } from "../../workspace/hall/issues.ts";
import { type Cue, closeness, cueIn, type Occasion, Playbook } from "./playbook.ts";

const FOLDER = "playbooks";
const FILE = /^([A-Za-z0-9][\w-]{0,79})\.ya?ml$/;
const LARGEST = 1_000_000;

/** What a file turned out to be. */
type Read = { playbook: Playbook } | { fault: string; cue?: Cue };

/** The playbooks of a workspace. They may be edited at any time; the next call plays what the file says then. */
export class PlaybookFolder {
  readonly #files: Files;
  readonly #read = new Map<string, { text: string; read: Read }>();

  constructor(files: Files) {
    this.#files = files;
  }

  names(): string[] {
    return this.#paths().map(([name]) => name);
  }

  /** Undefined when there is none of that name; throws ModelFailure when there is one that cannot be played. */
  named(name: string): Playbook | undefined {
    const path = this.#paths().find(([known]) => known === name)?.[1];
    return path === undefined ? undefined : playable(this.#load(path));
  }

  /** The one whose cue fits most closely, and of several the first by name. */
  fitting(occasion: Occasion): Playbook | undefined {
    const found = this.#paths().map(([, path]) => {
      const read = this.#load(path);
      const cue = "playbook" in read ? read.playbook : (read.cue ?? {});
      return { read, fits: closeness(cue, occasion) };
    });
    const closest = Math.max(0, ...found.map(({ fits }) => fits));
    const best = closest === 0 ? undefined : found.find(({ fits }) => fits === closest);
    return best && playable(best.read);
  }

  #paths(): [name: string, path: string][] {
    return this.#files
      .names(FOLDER)
      .sort()
      .flatMap((file): [string, string][] => {
        const name = FILE.exec(file)?.[1];
        return name === undefined ? [] : [[name, `${FOLDER}/${file}`]];
      });
  }

  #load(path: string): Read {
    const size = this.#files.stat(path)?.size ?? 0;
    if (size > LARGEST) return { fault: `The playbook ${path} is too large: ${size} bytes; ${LARGEST} are allowed.` };
    const text = this.#files.text(path);
    const known = this.#read.get(path);
    if (known?.text === text) return known.read;
    const read = readPlaybook(path, text);
    this.#read.set(path, { text, read });
    return read;
  }
}

function playable(read: Read): Playbook {
  if ("fault" in read) throw new ModelFailure("refused", read.fault);
  return read.playbook;
}

function readPlaybook(path: string, text: string): Read {
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: true, strict: true, lineCounter: lines });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const said = broken.message.split("\n")[0]?.replace(/ at line .*$/, "");
    return { fault: `The playbook ${path} is not YAML: line ${broken.linePos?.[0].line ?? 1}: ${said}.` };
  }
  const value: unknown = document.toJS({ maxAliasCount: 10 });
  const parsed = Playbook.safeParse(value, { error: plainWords });
  if (parsed.success) return { playbook: parsed.data };
  const { path: where, reason } = describeIssue(parsed.error);
  const line = lineOf(where, (steps) => document.getIn(steps, true), lines);
  return { fault: `The playbook ${path} is not valid: line ${line}: ${reason}.`, cue: cueIn(value) };
}

/** The line of a value, or of the nearest thing around it that is there. */
function lineOf(path: readonly PropertyKey[], nodeAt: (path: PropertyKey[]) => unknown, lines: LineCounter): number {
  for (let length = path.length; length > 0; length--) {
    const node = nodeAt(path.slice(0, length)) as { range?: [number, number, number] } | undefined;
    if (node?.range !== undefined) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
