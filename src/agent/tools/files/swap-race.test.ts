import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { swapFolder } from "../../../../test/harness/folder-swap.ts";
import { Files } from "../../../store/files/files.ts";
import type { Tool } from "../../tool.ts";
import { memoryTools } from "../memory-tools.ts";
import { fileTools } from "./file-tools.ts";

/** Of each use, of which four write and four read; 5,000 make 20,000 writes and as many reads. */
const TRIES = Number(process.env.GUILDHALL_RACE_TRIES ?? 2_000);
const AT_ONCE = 20;
const CANARY = "canary-of-somebody-else";

type Use = (at: number) => Promise<{ output: string; failed?: boolean }>;

describe.skipIf(process.platform !== "linux")("a folder that another process swaps for links (needs /proc)", () => {
  it("lets no tool for files write or read outside, nor in what is protected [S0-SEC-02]", {
    timeout: 120_000,
  }, async () => {
    const { inside, outside, forbidden } = place("folder");
    const before = forbidden.map(pictureOf);
    const call = callsOf(fileTools(new Files(inside, "kept", "refused")));
    const swap = await swapFolder(inside, "folder", [outside, ".git/hooks", ".ssh"]);
    const reads: Use = (at) => call("read", { path: at % 2 === 0 ? "folder/own.md" : "folder/text.md" });
    const counts = await hammer({
      write: (at) => call("write", { path: `folder/new-${at % 40}.md`, content: `by an agent ${at}\n` }),
      "write deeper": (at) => call("write", { path: `folder/d${at % 9}/er/new.md`, content: `by an agent ${at}\n` }),
      replace: (at) => call("write", { path: "folder/text.md", content: `own ${at}\n` }),
      edit: (at) =>
        call("edit", { path: "folder/own.md", oldText: at % 3 === 0 ? "canary" : "own", newText: `own ${at}` }),
      ...{ read: reads, "read again": reads, "and again": reads, "and once more": reads },
    });
    const searched = await hammer({ search: () => call("search", { path: "folder", pattern: "canary" }) }, 200);
    expect(await swap.stop()).toBeGreaterThan(1_000);
    expect(forbidden.map(pictureOf)).toEqual(before);
    expect(faultsOf({ ...counts, ...searched })).toEqual([]);
  });

  it("lets no tool for the memory out of it [S0-SEC-02]", { timeout: 60_000 }, async () => {
    const { inside, outside, forbidden } = place("memory/facts");
    const before = forbidden.map(pictureOf);
    const files = new Files(inside, "private", "refused");
    const call = callsOf(memoryTools({ files, clock: () => new Date(0), redact: (text) => text }));
    const swap = await swapFolder(join(inside, "memory"), "facts", [outside, "../.ssh"]);
    const counts = await hammer(
      {
        memory_write: (at) => call("memory_write", { path: `facts/new-${at % 40}.md`, content: `by an agent ${at}` }),
        memory_append: (at) => call("memory_append", { path: `facts/more-${at % 40}.md`, text: `${at}` }),
        memory_read: () => call("memory_read", { path: "facts/own.md" }),
        memory_list: () => call("memory_list", {}),
      },
      500,
    );
    expect(await swap.stop()).toBeGreaterThan(500);
    expect(forbidden.map(pictureOf)).toEqual(before);
    expect(faultsOf(counts).filter((fault) => !fault.startsWith("memory_list"))).toEqual([]);
    expect(counts.memory_list?.leaked).toBe(0);
  });

  it("leads whoever looks first and opens then outside: the race is one", { timeout: 60_000 }, async () => {
    const { inside, outside } = place("folder");
    const swap = await swapFolder(inside, "folder", [outside]);
    const path = join(inside, "folder/own.md");
    let escapes = 0;
    for (let tries = 0; escapes === 0 && tries < 200_000; tries++) {
      try {
        if (realpathSync(path).startsWith(`${inside}/`) && readFileSync(path, "utf8").includes(CANARY)) escapes++;
      } catch {
        // It was away at the moment.
      }
    }
    await swap.stop();
    expect(escapes).toBe(1);
  });
});

/** A folder with another that is swapped, and what it must not lead to. In memory where possible: every write is synced. */
function place(swapped: string) {
  const above = realpathSync(mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "guildhall-swap-")));
  onTestFinished(() => rmSync(above, { recursive: true, force: true, maxRetries: 5 }));
  const make = (path: string, text: string) => {
    mkdirSync(join(above, path), { recursive: true });
    for (const name of ["own.md", "text.md"]) writeFileSync(join(above, path, name), `${text}\n`);
    return join(above, path);
  };
  make(`work/${swapped}`, "own");
  const outside = make("outside", CANARY);
  return {
    inside: join(above, "work"),
    outside,
    forbidden: [outside, make("work/.git/hooks", CANARY), make("work/.ssh", CANARY)],
  };
}

function callsOf(tools: readonly Tool[]) {
  const use = { callId: "call-1", signal: new AbortController().signal };
  return (name: string, input: object) =>
    (tools.find(({ spec }) => spec.name === name) as Tool).run(JSON.stringify(input), use);
}

const MOST_TRIES = 20_000;

async function hammer(uses: Record<string, Use>, tries = TRIES) {
  const counts = Object.fromEntries(Object.keys(uses).map((name) => [name, { done: 0, refused: 0, leaked: 0 }]));
  // Goes on until each use has met the folder at least once; how often that is, the system decides.
  const isMissed = () => Object.values(counts).some(({ done }) => done === 0);
  const isOpen = (at: number) => at < tries || (at < MOST_TRIES && isMissed());
  for (let at = 0; isOpen(at); at += AT_ONCE)
    for (const [name, attempt] of Object.entries(uses)) {
      const count = counts[name] as { done: number; refused: number; leaked: number };
      const told = await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => attempt(at + more)));
      for (const { output, failed } of told) {
        if (failed) count.refused++;
        else count.done++;
        if (output.includes(CANARY)) count.leaked++;
      }
    }
  return counts;
}

/** A use that was never refused, or always, has not met the swap. */
function faultsOf(counts: Awaited<ReturnType<typeof hammer>>): string[] {
  return Object.entries(counts)
    .filter(([, { done, refused, leaked }]) => leaked > 0 || done === 0 || refused === 0)
    .map(([name, count]) => `${name}: ${JSON.stringify(count)}`);
}

/** What is in a folder, with every name below. */
function pictureOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => `${entry.name} ${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "utf8") : ""}`)
    .sort();
}
