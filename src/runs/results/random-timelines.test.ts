import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { pictureOf } from "../../../test/harness/folder-picture.ts";
import { type CheckpointRecord, CheckpointStore } from "../../store/snapshots/checkpoint-store.ts";
import { foldersAbove } from "../../store/snapshots/tree-objects.ts";
import { planRollback } from "../schedule/unwinding.ts";
import { spansSince, stretchesOf } from "./agent-changes.ts";

/** `npm run test:random` tries more of them. */
const TREES = Number(process.env.GUILDHALL_TREES ?? 25);
const PATIENCE_MS = Math.max(60_000, TREES * 500);
const LIMITS = { longestFile: 1_000_000, mostFiles: 100_000 };
const FOLDERS = ["", "src/", "src/deep 🦉/", "e\u0301/"];
const NAMES = ["a", "b", "with space", "line\nbreak", "-rf", ".hidden", "u\u0308", "quote'\"", "*", "$(x)", "日本"];

/** What somebody does to one path; what is written is never the same twice. */
interface Deed {
  path: string;
  how: "file" | "big" | "link" | "mode" | "remove";
  mode: number;
}
interface Round {
  /** The person, before the run. */
  before: Deed[];
  /** Whether the run names its files; then the person may work on others beside it. */
  isNaming: boolean;
  agent: Deed[];
  beside: Deed[];
}

const pathOf = (names: readonly string[]) =>
  fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...names)).map(([folder, name]) => folder + name);
const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o444);
const how = fc.oneof(
  { weight: 8, arbitrary: fc.constant("file" as const) },
  { weight: 3, arbitrary: fc.constantFrom("link" as const, "mode" as const) },
  { weight: 3, arbitrary: fc.constant("remove" as const) },
  { weight: 1, arbitrary: fc.constant("big" as const) },
);
const agents: fc.Arbitrary<Deed> = fc.record({ path: pathOf(NAMES), how, mode });
// Only the person has files that are ignored: nobody keeps them, and nothing may happen to them.
const persons: fc.Arbitrary<Deed> = fc.record({
  path: pathOf([...NAMES, "x.log", "ignored"]),
  how: how.map((one) => (one === "mode" ? "file" : one)),
  mode,
});
const round: fc.Arbitrary<Round> = fc.record({
  before: fc.array(persons, { maxLength: 4 }),
  isNaming: fc.boolean(),
  agent: fc.array(agents, { maxLength: 6 }),
  beside: fc.array(persons, { maxLength: 3 }),
});

class Folder {
  readonly root = temporaryFolder();
  #count = 0;

  constructor() {
    for (const folder of FOLDERS) {
      mkdirSync(join(this.root, folder), { recursive: true });
      writeFileSync(join(this.root, folder, ".keep"), "");
    }
    writeFileSync(join(this.root, ".gitignore"), "*.log\n");
    writeFileSync(join(this.root, "src", ".gitignore"), "ignored\n");
  }

  state(path: string): string | undefined {
    return pictureOf(this.root).get(path);
  }

  do({ path, how, mode }: Deed): void {
    const at = join(this.root, path);
    const text = `${++this.#count}\n`;
    if (how === "mode") {
      if (this.state(path)?.startsWith("file") === true) chmodSync(at, mode);
      return;
    }
    rmSync(at, { force: true });
    if (how === "link") symlinkSync(`../nowhere ${text.trim()}`, at);
    if (how !== "file" && how !== "big") return;
    writeFileSync(at, how === "big" ? text.repeat(60_000) : text);
    chmodSync(at, mode);
  }
}

class Timeline {
  readonly folder = new Folder();
  /** As the person last left each path. */
  readonly persons = pictureOf(this.folder.root);
  readonly store: CheckpointStore;
  readonly #records: CheckpointRecord[] = [];
  readonly #named = new Map<string, Set<string>>();
  /** A path without a file is the one state that a person and an agent may both leave behind. */
  readonly #removed = new Set<string>();

  constructor(store: CheckpointStore) {
    this.store = store;
  }

  person(deeds: Deed[], isFree: (path: string) => boolean = () => true): void {
    for (const deed of deeds.filter(({ path }) => isFree(path))) {
      if (deed.how === "remove" && this.#removed.has(deed.path)) continue;
      const before = this.folder.state(deed.path);
      this.folder.do(deed);
      const after = this.folder.state(deed.path);
      // What changes nothing is nobody's word.
      if (before === after) continue;
      if (after === undefined) this.persons.delete(deed.path);
      else this.persons.set(deed.path, after);
    }
  }

  async run({ isNaming, agent, beside }: Round, isLast: boolean): Promise<void> {
    const runId = `run-${this.#records.length}`;
    const named = new Set(agent.map(({ path }) => path));
    // An agent that would hide what it does.
    if (isLast) named.add("src/.gitignore").add("late");
    if (isNaming) this.#named.set(runId, new Set([...named, ...[...named].flatMap(foldersAbove)]));
    await this.#keep("run-start", runId);
    if (isLast) writeFileSync(join(this.folder.root, "src/.gitignore"), "*\n");
    if (isLast) writeFileSync(join(this.folder.root, "late"), "made late");
    for (const [at, deed] of agent.entries()) {
      this.folder.do(deed);
      if (isNaming) this.person(beside.slice(at, at + 1), (path) => !named.has(path));
    }
    await this.#keep("run-end", runId);
    for (const path of named) if (this.folder.state(path) === undefined) this.#removed.add(path);
  }

  async undo() {
    const { root } = this.folder;
    const ownedBy = (runId: string) => (path: string) => this.#named.get(runId)?.has(path) ?? true;
    const of = { store: this.store, records: this.#records, ownedBy };
    const restore = this.store.restoring(root, LIMITS);
    const byPath = stretchesOf(of, spansSince(of, 0));
    await restore.apply(planRollback(byPath, (path) => restore.stateOf(path), this.store).moves);
  }

  async #keep(reason: "run-start" | "run-end", runId: string): Promise<void> {
    const { root } = this.folder;
    const previous = this.#records.at(-1)?.tree;
    const isEnd = reason === "run-end";
    const kept = await this.store.keep({ workdir: root, without: new Set(), previous, frozenRules: isEnd, ...LIMITS });
    this.#records.push({ id: `${this.#records.length}`, at: "", reason, runId, workdir: root, ...kept });
  }
}

const sorted = (picture: Map<string, string>) => [...picture].sort(([left], [right]) => (left < right ? -1 : 1));

describe("rolling back", () => {
  it(
    `leaves ${TREES} random trees as if the person, before, between, beside and after runs, had worked alone [S1-MOD-04]`,
    async () => {
      const store = new CheckpointStore(join(temporaryFolder(), "store"));
      await fc.assert(
        fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), fc.array(persons), async (rounds, after) => {
          const timeline = new Timeline(store);
          for (const [at, one] of rounds.entries()) {
            timeline.person(one.before);
            await timeline.run(one, at === rounds.length - 1);
          }
          timeline.person(after);
          await timeline.undo();
          expect(sorted(pictureOf(timeline.folder.root))).toEqual(sorted(timeline.persons));
          await timeline.undo();
          expect(sorted(pictureOf(timeline.folder.root))).toEqual(sorted(timeline.persons));
        }),
        { numRuns: TREES },
      );
    },
    PATIENCE_MS,
  );
});
