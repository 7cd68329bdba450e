import type { LeftOutReason } from "../../contract/documents/autonomy/import.ts";
import { HallError } from "../../contract/errors.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import { parseJsonText } from "../../store/markup/json-text.ts";

const MOST_BYTES = 1024 * 1024;
const MOST_TOTAL = 32 * 1024 * 1024;
const MOST_FILES = 5_000;
/** Never opened, whatever is in them. */
const SECRET = /^\.env|credential|secret|token|password|\.(?:pem|key|p12|pfx)$|^id_(?:rsa|ed25519)|^auth.*\.json$/i;

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

export type ReadText = { ok: true; text: string } | { ok: false; reason: LeftOutReason };
export type ReadJson =
  | { ok: true; value: unknown; lineOf: (path: string) => number }
  | { ok: false; reason: LeftOutReason }
  | { ok: false; line: number; fault: string };

/** The folder of another tool: only read, without links, and within limits. Everything in it is a stranger's until it is checked. */
export class SourceFolder {
  readonly #files: FolderReader;
  #read = { files: 0, bytes: 0 };
  #isCut = false;

  constructor(folder: string) {
    try {
      this.#files = new FolderReader(folder, "refused");
    } catch {
      throw new HallError("invalid", `folder: there is no folder '${folder}' that can be read.`);
    }
  }

  get root(): string {
    return this.#files.root;
  }

  /** A folder had more in it than was listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether there is such a file or folder; a link is none. */
  has(path: string, kind: "file" | "folder"): boolean {
    return this.#kindOf(path) === kind;
  }

  /** What is in a folder, in order; without an entry for one that is not there. */
  list(folder: string): { name: string; path: string; kind: "file" | "folder" | "other" }[] {
    if (folder !== "." && this.#kindOf(folder) !== "folder") return [];
    const under = folder === "." ? "" : `${folder}/`;
    const names: string[] = [];
    for (const { name } of this.#files.entries(folder)) {
      this.#isCut ||= names.length >= MOST_FILES;
      if (names.length >= MOST_FILES) break;
      names.push(name);
    }
    return names
      .sort()
      .map((name) => ({ name, path: `${under}${name}`, kind: this.#kindOf(`${under}${name}`) ?? "other" }));
  }

  text(path: string): ReadText {
    if (isSecretName(path.slice(path.lastIndexOf("/") + 1))) return { ok: false, reason: "secret" };
    try {
      const found = this.#files.standing(path);
      if (found === undefined) return { ok: false, reason: "missing" };
      const { kind, size, names } = found;
      if (kind !== "file" || names > 1) return { ok: false, reason: "link" };
      if (size > MOST_BYTES) return { ok: false, reason: "too_large" };
      this.#read.files += 1;
      this.#read.bytes += size;
      if (this.#read.files > MOST_FILES || this.#read.bytes > MOST_TOTAL) return { ok: false, reason: "too_many" };
      const text = decodeText(this.#files.readContained(path, "."));
      return text === undefined ? { ok: false, reason: "not_text" } : { ok: true, text };
    } catch {
      return { ok: false, reason: "link" };
    }
  }

  json(path: string): ReadJson {
    const read = this.text(path);
    if (!read.ok) return read;
    const outcome = parseJsonText(read.text);
    return outcome.ok ? outcome : { ok: false, line: outcome.line, fault: outcome.reason };
  }

  #kindOf(path: string): "file" | "folder" | undefined {
    try {
      const kind = this.#files.standing(path)?.kind;
      return kind === "file" || kind === "folder" ? kind : undefined;
    } catch {
      return undefined;
    }
  }
}
