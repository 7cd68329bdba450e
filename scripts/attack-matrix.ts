import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../src/store/host/programs.ts";

const ROOT = join(import.meta.dirname, "..");
/** The user that has nothing: on every Linux, and owner of no file. */
const NOBODY = 65_534;

interface Round {
  sandbox: "bwrap" | "unshare";
  uid: number | undefined;
}

const own = process.getuid?.();
const users = own === 0 ? [undefined, NOBODY] : [undefined];
const rounds: Round[] = users.flatMap((uid) => (["bwrap", "unshare"] as const).map((sandbox) => ({ sandbox, uid })));
const base = mkdtempSync(join(tmpdir(), "guildhall-attacks-"));
chmodSync(base, 0o755);
const results = rounds.map((round) => ({ round, result: run(round) }));
rmSync(base, { recursive: true, force: true });

console.log("\nAttacks");
for (const { round, result } of results) console.log(`  ${nameOf(round).padEnd(28)} ${result}`);
if (own !== 0) console.log("  Start it as root to run them as root and as uid 65534 as well.");
if (results.some(({ result }) => result === "failed")) process.exitCode = 1;

function nameOf({ sandbox, uid }: Round): string {
  return `${sandbox}, ${uid === undefined ? `as uid ${own}` : `as uid ${uid}`}`;
}

/** The attacks in one set-up. Each has a home and a folder for temporary files of its own. */
function run(round: Round): string {
  const { sandbox, uid } = round;
  if (sandbox === "bwrap" && findProgram("bwrap", process.env.PATH ?? "") === undefined)
    return "not run: bwrap is not installed";
  const home = mkdtempSync(join(base, `${sandbox}-`));
  const temporary = join(home, "tmp");
  mkdirSync(temporary);
  const path = sandbox === "bwrap" ? process.env.PATH : `${withoutBwrap(home)}:${process.env.PATH}`;
  if (uid !== undefined) for (const folder of [home, temporary]) chownSync(folder, uid, uid);
  const env = {
    ...process.env,
    PATH: path,
    HOME: home,
    TMPDIR: temporary,
    NODE_COMPILE_CACHE: join(home, "compiled"),
    GUILDHALL_ATTACKS_IN: sandbox,
  };
  const as = { cwd: ROOT, env, stdio: "inherit", ...(uid === undefined ? {} : { uid, gid: uid }) } as const;
  console.log(`\n── ${nameOf(round)} ──`);
  const node = process.execPath;
  if (spawnSync(node, ["-e", "require('fs').readdirSync('.')"], as).status !== 0)
    return "not run: this user cannot read the checkout or start Node.js. Make them readable for everyone";
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const filter = process.argv.slice(2);
  const words = [vitest, "run", "--configLoader", "runner", ...(filter.length === 0 ? ["test/attacks"] : filter)];
  return spawnSync(node, words, as).status === 0 ? "passed" : "failed";
}

/** A folder whose `bwrap` does not work, for the front of PATH. */
function withoutBwrap(home: string): string {
  const folder = join(home, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "bwrap"), "#!/bin/sh\necho hidden by the attack matrix >&2\nexit 1\n", { mode: 0o755 });
  return folder;
}
