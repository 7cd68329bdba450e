import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../src/contract/problem.ts";
import { type DaemonProcess, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { type PersonsRepository, repository, repositoryAt, writing } from "../harness/repository.ts";
import { furnish, PROJECT, runOf, spawnRun, untilOver, writePlaybook } from "../harness/spawned-runs.ts";
import { type CutDisk, cutDisk, FILE_SYSTEMS, type FileSystem, whyNoCutDisk } from "./cut-disk.ts";

const CUTS = Number(process.env.GUILDHALL_POWER_CUTS ?? 0);
const whyNot = CUTS === 0 ? "set GUILDHALL_POWER_CUTS to the number of cuts" : whyNoCutDisk();
/** A disk serves this many cuts, so that a long run begins with an empty one again and again. */
const CUTS_PER_DISK = 10;
const PART = Math.ceil(CUTS / (FILE_SYSTEMS.length * 2));

interface Bench {
  disk: CutDisk;
  workspace: string;
  root: string;
}

/** What was acknowledged, and what must be true of it ever after. */
interface Acknowledged {
  runId: string;
  state: "delivered" | "review" | "reverted";
  path: string;
  content: string;
}

const benches = FILE_SYSTEMS.flatMap((kind) =>
  (["one", "two"] as const).flatMap((disks) =>
    Array.from({ length: Math.ceil(PART / CUTS_PER_DISK) }, (_, at) => ({
      kind,
      disks,
      at,
      cuts: Math.min(CUTS_PER_DISK, PART - at * CUTS_PER_DISK),
    })),
  ),
);

describe.skipIf(whyNot !== undefined)(`a power cut right after an acknowledged result (${whyNot ?? "as root"})`, () => {
  it.each(benches)(
    "loses nothing of it on $kind, $disks disks, part $at, $cuts cuts",
    { timeout: 600_000 },
    async (of) => {
      const bench = benchOn(of.kind, of.disks);
      const told: Acknowledged[] = [];
      for (let cut = 0; cut < of.cuts; cut++) {
        const hall = await spawnHall(bench.workspace);
        if (cut === 0) await prepare(hall, bench);
        told.push(await acknowledge(hall, cut));
        bench.disk.cut(cut % 2 === 0 ? "at-once" : "flush");
        await hall.kill();
        await bench.disk.remount();
        await assertAllThere(bench, told);
      }
      expect(await bench.disk.check()).toBe("");
    },
  );

  it.each(FILE_SYSTEMS)(
    "takes what a plain git commit wrote, on %s: these cuts do cut",
    { timeout: 120_000 },
    async (kind) => {
      const disk = cutDisk(kind);
      const root = join(disk.path, "work");
      mkdirSync(root);
      const repo = repositoryAt(root);
      repo.git("init", "--quiet", "--initial-branch=main");
      repo.write("a.txt", "a\n");
      repo.git("add", "--all");
      repo.git("commit", "--quiet", "-m", "First");
      disk.cut("flush");
      await disk.remount();
      expect(() => repo.git("fsck", "--full", "--strict")).toThrow();
    },
  );
});

/** `two`: the repository is on a disk of its own, so that nothing the daemon syncs for itself takes it along. */
function benchOn(kind: FileSystem, disks: "one" | "two"): Bench {
  const disk = cutDisk(kind);
  const workspace = join(disks === "one" ? disk.path : temporaryFolder(), "workspace");
  return { disk, workspace, root: join(disk.path, "work") };
}

async function prepare(hall: DaemonProcess, { root, disk }: Bench): Promise<void> {
  const made = repository({ "a.txt": "a\n", "mine.txt": "mine\n" });
  mkdirSync(root);
  const repo = repositoryAt(root);
  repo.git("clone", "--quiet", "--no-hardlinks", made.root, ".");
  repo.git("remote", "remove", "origin");
  repo.write("mine.txt", "unfinished\n");
  repo.git("-c", "core.fsync=all", "gc", "--quiet");
  // What a person had long before is on the disk.
  execFileSync("sync", ["-f", disk.path]);
  await furnish(hall, {});
  const { status } = await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: root });
  expect(status).toBe(200);
}

/** One result of each kind in turn. It is told as soon as the API tells it. */
async function acknowledge(hall: DaemonProcess, cut: number): Promise<Acknowledged> {
  const kinds = ["delivered", "delivered", "review", "approved", "reverted"] as const;
  const kind = kinds[cut % kinds.length] ?? "delivered";
  const waits = kind === "review" || kind === "approved";
  const [path, content] = [`made/${cut}/new.txt`, `made in round ${cut}\n`.repeat(50)];
  writePlaybook(hall.workspace, `cut${cut}`, writing({ [path]: content, [`top${cut}.txt`]: content }));
  const config = { constraints: { requireReview: waits } };
  expect((await hall.call("PUT", `/api/projects/${PROJECT}`, { config })).status).toBe(200);
  const runId = await spawnRun(hall, `cut${cut}`, `Round ${cut}`);
  const run = await untilOver(hall, runId);
  expect(run.delivery, JSON.stringify(run)).toMatchObject({ state: waits ? "review" : "delivered" });
  const decide = async (deed: string, body?: object) =>
    expect((await hall.call("POST", `/api/runs/${runId}/${deed}`, body)).status).toBe(200);
  if (kind === "approved")
    await decide("approve", { hash: (await hall.call("GET", `/api/runs/${runId}/diff`)).body.hash });
  if (kind === "reverted") await decide("revert");
  return { runId, state: kind === "approved" ? "delivered" : kind, path, content };
}

async function assertAllThere(bench: Bench, told: readonly Acknowledged[]): Promise<void> {
  const repo = repositoryAt(bench.root);
  assertRepository(repo, told);
  const hall = await spawnHall(bench.workspace);
  for (const { runId, state } of told) expect((await runOf(hall, runId)).delivery).toMatchObject({ state });
  const { problems } = (await hall.call("GET", "/api/problems")).body as { problems: Problem[] };
  expect(problems.filter(({ kind }) => kind === "repository" || kind === "document")).toEqual([]);
  await hall.stop();
  assertRepository(repo, told);
}

/** The person's own git would refresh the index, and not sync it. */
function assertRepository(repo: PersonsRepository, told: readonly Acknowledged[]): void {
  const said = repo.git("fsck", "--full", "--strict", "--no-dangling");
  expect(said).toBe("");
  expect(repo.git("--no-optional-locks", "status", "--porcelain")).toBe(" M mine.txt");
  expect(repo.text("mine.txt")).toBe("unfinished\n");
  for (const { runId, state, path, content } of told) {
    if (state === "delivered")
      expect([repo.text(path), repo.committed("main", path)]).toEqual([content, content.trimEnd()]);
    if (state === "reverted") expect(repo.exists(path)).toBe(false);
    if (state === "review") {
      const branch = repo.branches().find((name) => name.endsWith(runId)) ?? "";
      expect(repo.committed(branch, path)).toBe(content.trimEnd());
    }
  }
}
