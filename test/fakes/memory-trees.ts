import { createHash } from "node:crypto";
import { createTwoFilesPatch, diffLines } from "diff";
import type { CommitText, Mention, Overlay, TreeChange, TreeSource } from "../../src/quality/trees/tree-source.ts";

type Files = Readonly<Record<string, string>>;

/** Trees in memory. A renamed file is one that has the same content under another path. */
export class MemoryTrees implements TreeSource {
  readonly #trees = new Map<string, Files>();
  commits: CommitText[] = [];

  add(files: Files): string {
    const sorted = Object.fromEntries(Object.entries(files).toSorted(([left], [right]) => (left < right ? -1 : 1)));
    const hash = createHash("sha1").update(JSON.stringify(sorted)).digest("hex");
    this.#trees.set(hash, sorted);
    return hash;
  }

  files(tree: string): Files {
    const files = this.#trees.get(tree);
    if (files === undefined) throw new Error(`no tree ${tree}`);
    return files;
  }

  async changes(from: string, to: string): Promise<TreeChange[]> {
    const [before, after] = [this.files(from), this.files(to)];
    const gone = Object.keys(before).filter((path) => after[path] === undefined);
    const changed = Object.keys(after).flatMap((path): TreeChange[] => {
      const text = after[path] ?? "";
      const old = before[path];
      if (old === text) return [];
      const moved = old === undefined ? gone.find((other) => before[other] === text) : undefined;
      if (moved !== undefined) gone.splice(gone.indexOf(moved), 1);
      const status = old !== undefined ? "modified" : moved !== undefined ? "renamed" : "added";
      return [
        { path, status, ...(moved === undefined ? {} : { from: moved }), ...lines(old ?? "", text), binary: false },
      ];
    });
    const deleted = gone.map((path) => ({
      path,
      status: "deleted" as const,
      ...lines(before[path] ?? "", ""),
      binary: false,
    }));
    return [...changed, ...deleted];
  }

  async diff(from: string, to: string, paths?: readonly string[]): Promise<string> {
    const [before, after] = [this.files(from), this.files(to)];
    const changes = (await this.changes(from, to)).filter(({ path }) => paths?.includes(path) ?? true);
    return changes
      .map(({ path, status, from: old = path }) => {
        const names = [status === "added" ? "/dev/null" : `a/${old}`, status === "deleted" ? "/dev/null" : `b/${path}`];
        const [left = "", right = ""] = names;
        const patch = createTwoFilesPatch(left, right, before[old] ?? "", after[path] ?? "");
        return `diff --git a/${old} b/${path}\n${patch.replace(/^=+\n/, "")}`;
      })
      .join("");
  }

  async paths(tree: string): Promise<string[]> {
    return Object.keys(this.files(tree));
  }

  async read(tree: string, path: string): Promise<Buffer | undefined> {
    const text = this.files(tree)[path];
    return text === undefined ? undefined : Buffer.from(text);
  }

  async search(tree: string, pattern: string): Promise<Mention[]> {
    const looked = new RegExp(pattern);
    return Object.entries(this.files(tree)).flatMap(([path, text]) =>
      text.split("\n").flatMap((line, at) => (looked.test(line) ? [{ path, line: at + 1, text: line }] : [])),
    );
  }

  async log(): Promise<CommitText[]> {
    return this.commits;
  }

  async overlay(tree: string, overlays: readonly Overlay[]): Promise<string> {
    const files: Record<string, string> = { ...this.files(tree) };
    for (const one of overlays) {
      const text =
        "from" in one ? this.files(one.from)[one.path] : "content" in one ? one.content.toString() : undefined;
      if (text === undefined) delete files[one.path];
      else files[one.path] = text;
    }
    return this.add(files);
  }

  async revisions(names: readonly string[]) {
    return names.map((name) => ({ commit: name, tree: name }));
  }

  async commit(revision: string): Promise<string> {
    return revision;
  }

  async tree(revision: string): Promise<string> {
    return revision;
  }

  merge(): never {
    throw new Error("not played");
  }

  blame(): never {
    throw new Error("not played");
  }

  fork(): never {
    throw new Error("not played");
  }

  working(): never {
    throw new Error("not played");
  }

  checkout(): never {
    throw new Error("not played");
  }
}

function lines(before: string, after: string): { additions: number; deletions: number } {
  const parts = diffLines(before, after);
  const count = (which: "added" | "removed") =>
    parts.reduce((sum, part) => sum + (part[which] ? (part.count ?? 0) : 0), 0);
  return { additions: count("added"), deletions: count("removed") };
}
