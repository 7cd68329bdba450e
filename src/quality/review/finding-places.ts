import type { ReviewFinding } from "../../contract/runs/run-review.ts";
import type { TreeChange, TreeSource } from "../trees/tree-source.ts";

interface Subject {
  trees: Pick<TreeSource, "read" | "diff">;
  base: string;
  tree: string;
  changes: readonly TreeChange[];
}

/** Where findings are, by the trees themselves. */
export class FindingPlaces {
  readonly #subject: Subject;
  readonly #lines = new Map<string, Promise<number | undefined>>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** The finding with its file as the tree has it; undefined where it points to no line of the diff or the tree. */
  async placed<Finding extends ReviewFinding>(finding: Finding): Promise<Finding | undefined> {
    if (finding.file === undefined) return undefined;
    for (const file of spellings(finding.file)) {
      const most = await this.#linesOf(file);
      if (most === undefined) continue;
      return finding.line === undefined || finding.line <= most ? { ...finding, file } : undefined;
    }
    return undefined;
  }

  /** How many lines a file has, of a deleted one how many it had; undefined where neither tree has it. */
  #linesOf(file: string): Promise<number | undefined> {
    const known = this.#lines.get(file) ?? this.#count(file);
    this.#lines.set(file, known);
    return known;
  }

  async #count(file: string): Promise<number | undefined> {
    const { trees, base, tree, changes } = this.#subject;
    const isGone = changes.some(({ path, status, from }) => (status === "deleted" ? path : from) === file);
    const content = (await trees.read(tree, file)) ?? (isGone ? await trees.read(base, file) : undefined);
    return content === undefined ? undefined : linesIn(content);
  }
}

/** A file without content has a first line all the same: that is where one would say so. */
function linesIn(content: Buffer): number {
  let lines = content.at(-1) === 10 ? 0 : 1;
  for (const byte of content) if (byte === 10) lines++;
  return Math.max(1, lines);
}

/** As it is written, and without what tools put before it. */
function spellings(file: string): string[] {
  const plain = file.replace(/^\.?\/+/, "");
  return [...new Set([file, plain, plain.replace(/^[ab]\//, "")])].filter((path) => path !== "");
}

/** Lines of the newer side that a unified diff of one file shows as changed; next to what was taken away counts. */
export function changedLines(diff: string): Set<number> {
  const lines = new Set<number>();
  let at = 0;
  let isHunk = false;
  for (const text of diff.split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk !== null) {
      at = Number(hunk[1]);
      isHunk = true;
    } else if (text.startsWith("diff --git ")) isHunk = false;
    else if (isHunk && text.startsWith("+")) lines.add(at++);
    else if (isHunk && text.startsWith("-")) {
      lines.add(Math.max(1, at - 1));
      lines.add(at);
    } else if (isHunk && text.startsWith(" ")) at++;
  }
  return lines;
}
