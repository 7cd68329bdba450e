import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { pictureOf } from "../../../test/harness/folder-picture.ts";
import { type CheckpointRecord, CheckpointStore } from "../../store/snapshots/checkpoint-store.ts";
import { planRollback } from "../schedule/unwinding.ts";
import { spansSince, stretchesOf } from "./agent-changes.ts";

/** `npm run test:random` tries more of them. */
const TREES = Number(process.env.GUILDHALL_TREES ?? 25);
const PATIENCE_MS = Math.max(60_000, TREES * 500);
const LIMITS = { longestFile: 1_000_000, mostFiles: 100_000 };
const NAMES = [
  "a",
  "b",
  "with space",
  "line\nbreak",
  "🦉",
  "-rf",
  ".hidden",
  "u\u0308",
  "quote'\"",
  "*",
  "$(x)",
  "x".repeat(200),
];

const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const bytes = fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 40 }));
const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o444);
type Deed =
  | { kind: "file"; path: string; bytes: Uint8Array; mode: number }
  | { kind: "link"; path: string; target: string }
  | { kind: "folder"; path: string; mode: number }
  | { kind: "remove"; path: string };
const file = fc.record({ kind: fc.constant("file" as const), path, bytes, mode });
const removal = fc.record({ kind: fc.constant("remove" as const), path });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: file },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("link" as const),
      path,
      target: fc.constantFrom("a", "../b", "/etc/passwd", "nowhere 🦉"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("folder" as const), path, mode: fc.constantFrom(0o755, 0o700) }),
  },
  { weight: 2, arbitrary: removal },
);
/** A person works on files; they do not turn them into something else. */
const personsDeed: fc.Arbitrary<Deed> = fc.oneof(file, removal);

function carryOut(root: string, deed: Deed, by: "agent" | "person"): void {
  if (!hasRoom(root, dirname(deed.path))) return;
  const at = join(root, deed.path);
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (by === "person" && stats !== undefined && !stats.isFile()) return;
  if (by === "person" && lstatSync(dirname(at), { throwIfNoEntry: false })?.isDirectory() !== true) return;
  rmSync(at, { recursive: true, force: true });
  if (deed.kind === "remove") return;
  mkdirSync(dirname(at), { recursive: true });
  if (deed.kind === "link") symlinkSync(deed.target, at);
  else if (deed.kind === "folder") mkdirSync(at);
  else writeFileSync(at, deed.bytes);
  if (deed.kind !== "link") chmodSync(at, deed.mode);
}

/** Whether nothing but folders is above a path: nobody writes through a link here. */
function hasRoom(root: string, folder: string): boolean {
  if (folder === ".") return true;
  if (!hasRoom(root, dirname(folder))) return false;
  const stats = lstatSync(join(root, folder), { throwIfNoEntry: false });
  return stats === undefined || stats.isDirectory();
}

type Picture = Map<string, string>;

/** What agents did is undone where the person has not touched it; the person's own work stays, and the folders it is in. */
function expected(before: Picture, after: readonly Picture[], now: Picture) {
  const wanted = new Map<string, string>();
  // A person who put back what an earlier run had left undid the later runs alone, and the earlier ones are undone now.
  const isAgents = (one: string) => after.some((picture) => picture.get(one) === now.get(one));
  const isTheirs = (one: string) => now.has(one) && !isAgents(one);
  for (const one of [...new Set([before, ...after, now].flatMap((picture) => [...picture.keys()]))].sort()) {
    const above = dirname(one);
    if (above !== "." && wanted.get(above)?.startsWith("folder") !== true) continue;
    const undone = isAgents(one) ? before.get(one) : now.get(one);
    const holdsTheirs = [...now.keys()].some((other) => other.startsWith(`${one}/`) && isTheirs(other));
    const state = holdsTheirs && undone?.startsWith("folder") !== true ? now.get(one) : undone;
    if (state !== undefined) wanted.set(one, state);
  }
  return wanted;
}

const sorted = (picture: Map<string, string>) => [...picture].sort(([left], [right]) => (left < right ? -1 : 1));

describe("rolling back", () => {
  it(
    `brings ${TREES} random trees back to the byte, and leaves what a person did meanwhile [S1-MOD-04]`,
    async () => {
      const store = new CheckpointStore(join(temporaryFolder(), "store"));
      let number = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(deed, { maxLength: 25 }),
          fc.array(fc.array(deed, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
          fc.array(personsDeed, { maxLength: 4 }),
          async (start, runs, person) => {
            const root = temporaryFolder();
            const records: CheckpointRecord[] = [];
            const keep = async (reason: CheckpointRecord["reason"], runId: string) => {
              const kept = await store.keep({
                workdir: root,
                without: new Set(),
                previous: records.at(-1)?.tree,
                ...LIMITS,
              });
              records.push({ id: `${++number}`, at: "", reason, runId, workdir: root, ...kept });
            };
            for (const one of start) carryOut(root, one, "agent");
            const before = pictureOf(root);
            const after: Picture[] = [];
            for (const [at, run] of runs.entries()) {
              await keep("run-start", `run-${at}`);
              for (const one of run) carryOut(root, one, "agent");
              await keep("run-end", `run-${at}`);
              after.push(pictureOf(root));
            }
            for (const one of person) carryOut(root, one, "person");
            const now = pictureOf(root);
            const of = { store, records, ownedBy: () => () => true };
            const restore = store.restoring(root, LIMITS);
            const undo = async () => {
              const byPath = stretchesOf(of, spansSince(of, 0));
              return restore.apply(planRollback(byPath, (one) => restore.stateOf(one), store).moves);
            };
            await undo();
            expect(sorted(pictureOf(root))).toEqual(sorted(expected(before, after, now)));
            if (person.length === 0) expect(sorted(pictureOf(root))).toEqual(sorted(before));
            await undo();
            expect(sorted(pictureOf(root))).toEqual(sorted(expected(before, after, now)));
          },
        ),
        { numRuns: TREES },
      );
    },
    PATIENCE_MS,
  );
});
