import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { type Git, GitFailure, type GitPlace } from "../../runs/git/git.ts";
import { wholeTree } from "../../runs/git/whole-tree.ts";
import { copyWithTime, isThere, makeFolder, removeFolder } from "../../store/files/folders.ts";
import { removeQuietly } from "../../store/files/regular-file.ts";
import { namedObject } from "../../store/git/named-object.ts";
import { ATTRIBUTES, type Checkout, CheckoutPool } from "./checkout-pool.ts";
import type { Listing, Placed } from "./tree-entry.ts";
import { isHash, PLAIN, TreeListings } from "./tree-listings.ts";
import { bytesOfPath, pathOfBytes } from "./tree-paths.ts";
import type { CommitText, Mention, Overlay, Revision, TreeChange, TreeSource } from "./tree-source.ts";

/** Of a diff that git cannot print at once. */
const MOST_DIFF = 32 * 1024 * 1024;
/** Uncommitted files: more than this is no code. */
const MOST_WORK = { file: 256 * 1024 * 1024, total: 1024 * 1024 * 1024 };
const MOST_LASTING = 1_000;
const MOST_SMALL = 200;
const LARGEST_SMALL = 32 * 1024;
const SUBMODULE = "160000";
const LINK = "120000";
const FILE = "100644";
const MOST_COMMITS = 1_000;
/** A commit's message, and the run that its last trailer names. */
const LOGGED = "%x00%B%x00%(trailers:key=Guildhall-Run,valueonly,separator=)%x00";
const CHECKOUTS = "trees";

export interface GitTreesOptions {
  git: Git;
  /** What all checkouts share. */
  repository: string;
  /** The person's checkout, and what git keeps for it; without one there are no uncommitted files. */
  work?: { checkout: string; records: string } | undefined;
  /** A private folder, absolute: indexes, new objects, and the files of trees. Nobody else uses it. */
  scratch: string;
}

/**
 * Trees of one repository. What is new lies in the scratch folder, objects too: the repository is only read, and gets no
 * object that nobody refers to.
 */
export class GitTrees implements TreeSource {
  readonly #git: Git;
  readonly #options: GitTreesOptions;
  readonly #at: GitPlace;
  readonly #pool: CheckoutPool;
  readonly #listings: TreeListings;
  /** What is known by the hashes of commits and trees, which does not change: what they are, their trees, and where two part. */
  readonly #revisions = new Map<string, Revision>();
  readonly #hashes = new Map<string, string>();
  /** Settings and manifests, which every gate reads; by their hash. */
  readonly #small = new Map<string, Buffer>();

  constructor(options: GitTreesOptions) {
    const { git, repository, work, scratch } = options;
    makeFolder(join(scratch, "objects"));
    this.#git = git;
    this.#options = options;
    // The same folders for every command, so that one sandbox serves them all.
    // HEAD is the one of the person's checkout, which need not be the first of its repository.
    this.#at = { gitDir: work?.records ?? repository, workTree: scratch, objects: join(scratch, "objects") };
    this.#listings = new TreeListings(git, this.#at);
    this.#pool = new CheckoutPool(join(scratch, CHECKOUTS), {
      list: (tree) => this.#listings.of(tree),
      write: (tree, name, files) => this.#write(tree, name, files),
      differing: (tree, folder) => this.#differing(tree, folder),
    });
  }

  /** Where the person's own files are: packages that are installed there are lent to commands. */
  get checkoutFolder(): string | undefined {
    return this.#options.work?.checkout;
  }

  async revisions(names: readonly string[]): Promise<(Revision | undefined)[]> {
    const known = new Map(names.map((name) => [name, this.#known(name)]));
    const open = [...known].flatMap(([name, found]) => (found === undefined && !/[\0\n]/.test(name) ? [name] : []));
    const found = open.length === 0 ? new Map<string, Revision>() : await this.#find(open);
    for (const revision of found.values()) {
      keep(this.#revisions, revision.commit, revision);
      keep(this.#hashes, revision.tree, revision.tree);
    }
    return names.map((name) => known.get(name) ?? found.get(name));
  }

  /** A commit that was seen before; where a branch is now, its file says. */
  #known(name: string): Revision | undefined {
    const { repository, work } = this.#options;
    const hash = isHash(name) ? name : namedObject({ repository, records: work?.records ?? repository }, name);
    return hash === undefined ? undefined : this.#revisions.get(hash);
  }

  /** One command for all of them: starting it takes longer than what it does. */
  async #find(names: readonly string[]): Promise<Map<string, Revision>> {
    const input = names.map((name) => `${name}^{commit}\n${name}^{tree}\n`).join("");
    const lines = (await this.#git.text(this.#at, ["cat-file", "--batch-check"], { input })).split("\n");
    return new Map(
      names.flatMap((name, at): [string, Revision][] => {
        const [commit, tree] = [hashIn(lines[2 * at], "commit"), hashIn(lines[2 * at + 1], "tree")];
        return commit === undefined || tree === undefined ? [] : [[name, { commit, tree }]];
      }),
    );
  }

  async commit(revision: string): Promise<string | undefined> {
    return (await this.revisions([revision]))[0]?.commit;
  }

  async tree(revision: string): Promise<string | undefined> {
    const known = this.#revisions.get(revision)?.tree ?? this.#hashes.get(revision);
    if (known !== undefined) return known;
    const tree = await this.#git.resolve(this.#at, `${revision}^{tree}`);
    if (tree !== undefined && isHash(revision)) keep(this.#hashes, revision, tree);
    return tree;
  }

  async fork(left: string, right: string): Promise<string | undefined> {
    if (left === right) return left;
    const key = `${left} ${right}`;
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const { code, out } = await this.#git.run(this.#at, ["merge-base", left, right], { allowed: [1, 128] });
    const fork = code === 0 ? out.trim() : undefined;
    if (fork !== undefined && isHash(left) && isHash(right)) keep(this.#hashes, key, fork);
    return fork;
  }

  changes(from: string, to: string): Promise<TreeChange[]> {
    return this.#listings.changes(from, to);
  }

  async diff(from: string, to: string, paths?: readonly string[]): Promise<string> {
    if (paths?.length === 0) return "";
    try {
      return await this.#diff(from, to, paths ?? []);
    } catch (error) {
      if (!(error instanceof GitFailure) || error.why !== "failed") throw error;
      return this.#diffInParts(from, to, paths);
    }
  }

  async #diff(from: string, to: string, paths: readonly string[]): Promise<string> {
    const named = paths.map((path) => `:(top,literal)${path}`);
    return (await this.#git.run(this.#at, ["diff", ...PLAIN, "--full-index", from, to, "--", ...named])).out;
  }

  /** File by file, until it is too much; what is left out is named. */
  async #diffInParts(from: string, to: string, paths?: readonly string[]): Promise<string> {
    const wanted = paths === undefined ? undefined : new Set(paths);
    const parts: string[] = [];
    let size = 0;
    for (const { path, from: before = path } of await this.changes(from, to)) {
      if (wanted !== undefined && !wanted.has(path)) continue;
      const part = size > MOST_DIFF ? undefined : await this.#diff(from, to, [path]).catch(() => undefined);
      const isShown = part !== undefined && size + part.length <= MOST_DIFF;
      parts.push(isShown ? part : `diff --git a/${before} b/${path}\n(The diff of this file is too large to show.)\n`);
      size += isShown ? part.length : 0;
    }
    return parts.join("");
  }

  async paths(tree: string): Promise<string[]> {
    return [...(await this.#listings.of(tree))].flatMap(([path, { mode }]) => (mode === SUBMODULE ? [] : [path]));
  }

  async submodules(tree: string): Promise<string[]> {
    return [...(await this.#listings.of(tree))].flatMap(([path, { mode }]) => (mode === SUBMODULE ? [path] : []));
  }

  /** Every path with the hash of its content. */
  async entries(tree: string): Promise<Listing> {
    return this.#listings.of(tree);
  }

  async read(tree: string, path: string): Promise<Buffer | undefined> {
    const entry = (await this.#listings.of(tree)).get(path);
    if (entry === undefined || entry.mode === SUBMODULE) return undefined;
    const known = this.#small.get(entry.object);
    if (known !== undefined) return known;
    const { out } = await this.#git.run(this.#at, ["cat-file", "blob", entry.object], { bytes: true });
    const content = Buffer.from(out, "latin1");
    if (content.length <= LARGEST_SMALL) keep(this.#small, entry.object, content, MOST_SMALL);
    return content;
  }

  /** As read, of a regular file of at most so many bytes; larger ones are not loaded. */
  async readSmall(tree: string, path: string, most: number): Promise<Buffer | "link" | "too-large" | undefined> {
    const entry = (await this.#listings.of(tree)).get(path);
    if (entry === undefined || entry.mode === SUBMODULE) return undefined;
    if (entry.mode === LINK) return "link";
    const known = this.#small.get(entry.object);
    if (known !== undefined) return known.length > most ? "too-large" : known;
    const about = await this.#git.text(this.#at, ["cat-file", "--batch-check"], { input: `${entry.object}\n` });
    const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(about)?.[1] ?? Number.NaN);
    return size <= most ? this.read(tree, path) : "too-large";
  }

  async search(tree: string, pattern: string): Promise<Mention[]> {
    const args = ["grep", "-I", "-z", "--no-color", "--no-textconv", "--line-number", "-E", "-e", pattern, tree];
    const { out } = await this.#git.run(this.#at, args, { bytes: true, allowed: [1] });
    return out.split("\n").flatMap((found) => {
      const [place = "", line = "", text = ""] = found.split("\0");
      const path = pathOfBytes(place.slice(tree.length + 1));
      return line === "" ? [] : [{ path, line: Number(line), text: Buffer.from(text, "latin1").toString("utf8") }];
    });
  }

  async log(from: string, to: string): Promise<CommitText[]> {
    const args = ["rev-list", `--max-count=${MOST_COMMITS}`, `--format=${LOGGED}`, "--end-of-options", to, `^${from}`];
    const parts = (await this.#git.run(this.#at, args)).out.split("\0");
    return parts.flatMap((part, at) => {
      const commit = /^\n?commit ([0-9a-f]{40,64})\n$/.exec(part)?.[1];
      const [message = "", runId = ""] = parts.slice(at + 1);
      return commit === undefined ? [] : [{ commit, message, ...(runId === "" ? {} : { runId }) }];
    });
  }

  async merge(ours: string, theirs: string): Promise<{ commit: string } | { conflicts: string[] }> {
    const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs];
    const answer = await this.#git.run(this.#at, args, { allowed: [1], bytes: true });
    const [tree = "", ...conflicts] = answer.out.split("\0").filter((part) => part !== "");
    if (answer.code !== 0) return { conflicts: conflicts.map(pathOfBytes) };
    const parents = ["-p", ours, "-p", theirs];
    return { commit: await this.#git.text(this.#at, ["commit-tree", tree, ...parents], { input: "Merge\n" }) };
  }

  async blame(commit: string, path: string, line: number): Promise<string | undefined> {
    const args = ["blame", "--porcelain", "--no-textconv", `-L${line},${line}`, commit, "--", path];
    const { code, out } = await this.#git.run(this.#at, args, { allowed: [128] });
    return code === 0 ? /^[0-9a-f]{40,64}/.exec(out)?.[0] : undefined;
  }

  async overlay(tree: string, overlays: readonly Overlay[]): Promise<string> {
    const placed = await Promise.all(
      overlays.map(async (one): Promise<Placed> => {
        if ("remove" in one) return { path: one.path, entry: undefined };
        if ("from" in one) return { path: one.path, entry: (await this.#listings.of(one.from)).get(one.path) };
        const { mode = FILE } = (await this.#listings.of(tree)).get(one.path) ?? {};
        return { path: one.path, entry: { mode, object: await this.blob(one.content) } };
      }),
    );
    return this.place(tree, placed);
  }

  /** As overlay, with content that no tree has. */
  async place(tree: string, placed: readonly Placed[]): Promise<string> {
    if (placed.length === 0) return (await this.tree(tree)) ?? tree;
    return this.#withIndex(async (index) => {
      await this.#git.run(this.#at, ["read-tree", tree], { index });
      await this.#addTo(index, placed, (await this.tree(tree))?.length);
      const made = await this.#git.text(this.#at, ["write-tree"], { index });
      keep(this.#hashes, made, made);
      return made;
    });
  }

  /** The hash of a file's content, which a tree may then hold. */
  async blob(content: Buffer): Promise<string> {
    const call = { bytes: true, input: content.toString("latin1") };
    return this.#git.text(this.#at, ["hash-object", "-w", "--no-filters", "--stdin"], call);
  }

  async working(work = this.#options.work): Promise<string> {
    if (work === undefined) throw new HallError("repository_refused", "The repository has no checkout.");
    const { checkout, records } = work;
    return this.#withIndex(async (index) => {
      const at = { gitDir: records, workTree: checkout, objects: this.#at.objects };
      if (isThere(`${records}/index`)) copyWithTime(`${records}/index`, index);
      else await this.#git.run(at, ["read-tree", "--empty"], { index });
      const looked = { at, folder: checkout, index, limits: MOST_WORK, isGlance: true };
      const { tree, leftOut } = await wholeTree(this.#git, looked);
      const [first] = leftOut;
      if (first !== undefined)
        throw new HallError("too_large", `'${first}' is too large to be judged. Add it to .gitignore, or commit it.`);
      return tree;
    });
  }

  checkout<Result>(tree: string, use: (folder: string) => Promise<Result>): Promise<Result> {
    return this.guarded(tree, ({ folder }) => use(folder));
  }

  /** As checkout, for those who have to know whether the files were changed. */
  async guarded<Result>(tree: string, use: (checkout: Checkout) => Promise<Result>): Promise<Result> {
    const hash = await this.tree(tree);
    if (hash === undefined) throw new GitFailure(`there is no tree '${tree}'`);
    return this.#pool.use(hash, use);
  }

  /** All files of a tree, or these. An index of a few files is made sooner than one of all; attributes say how git writes them. */
  async #write(tree: string, name: string, files?: Listing): Promise<void> {
    const to = ["checkout-index", "--quiet", "--force", `--prefix=${CHECKOUTS}/${name}/`];
    await this.#withIndex(async (index) => {
      if (files === undefined) {
        await this.#git.run(this.#at, ["read-tree", tree], { index });
        await this.#git.run(this.#at, [...to, "--all"], { index });
        return;
      }
      const attributes = [...(await this.#listings.of(tree))].filter(([path]) => ATTRIBUTES.test(path));
      await this.#addTo(
        index,
        [...attributes, ...files].map(([path, entry]) => ({ path, entry })),
      );
      const input = [...files.keys()].map((path) => `${bytesOfPath(path)}\0`).join("");
      await this.#git.run(this.#at, [...to, "-z", "--stdin"], { index, bytes: true, input });
    });
  }

  /** `width`: of a hash. */
  async #addTo(index: string, placed: readonly Placed[], width = 40): Promise<void> {
    const none = "0".repeat(width);
    const lines = placed.map(({ path, entry }) => {
      const what = entry === undefined ? `0 ${none}` : `${entry.mode} ${entry.object}`;
      return `${what}\t${bytesOfPath(path)}\0`;
    });
    const call = { index, bytes: true, input: lines.join("") };
    await this.#git.run(this.#at, ["update-index", "-z", "--index-info"], call);
  }

  /** The paths of a tree that differ from it in a folder that it was checked out to, by their content. */
  async #differing(tree: string, folder: string): Promise<string[]> {
    const at = { ...this.#at, workTree: folder };
    return this.#withIndex(async (index) => {
      // An index that never saw the files: git has to read each of them, whatever its times say.
      await this.#git.run(at, ["read-tree", tree], { index });
      await this.#git.run(at, ["update-index", "-q", "--refresh"], { index, allowed: [1] });
      const changed = await this.#git.list(at, ["diff-files", "--name-only", "-z"], { index, bytes: true });
      return changed.map(pathOfBytes);
    });
  }

  /** Takes every object and file away that was made here. */
  async close(): Promise<void> {
    await this.#pool.close();
    await removeFolder(this.#options.scratch);
  }

  async #withIndex<Result>(work: (index: string) => Promise<Result>): Promise<Result> {
    const index = join(this.#options.scratch, `index-${randomUUID()}`);
    try {
      return await work(index);
    } finally {
      removeQuietly(index);
      removeQuietly(`${index}.lock`);
    }
  }
}

function keep<Value>(known: Map<string, Value>, key: string, value: Value, most = MOST_LASTING): void {
  if (known.size >= most) known.clear();
  known.set(key, value);
}

/** Of a line such as `<hash> commit 123`. */
function hashIn(line: string | undefined, type: "commit" | "tree"): string | undefined {
  const [, hash, of] = /^([0-9a-f]{40,64}) (\w+) \d+$/.exec(line ?? "") ?? [];
  return of === type ? hash : undefined;
}
