import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HallError } from "../../contract/errors.ts";
import { PROGRAM_FOLDER } from "../../program.ts";

export const USUAL_PACE = 1.5;

/** Where a demo lives: a throwaway folder with a workspace and a repository of its own. */
export interface DemoPlaces {
  folder: string;
  workspace: string;
  repository: string;
}

/** Seconds that an agent thinks before a usual step; 0 plays at full speed. */
interface DemoPace {
  pace: number;
}

/** Makes all that has to be there before the daemon starts. */
export function makeDemoFolder({ pace }: DemoPace): DemoPlaces {
  // A folder behind a link, as on macOS, would be named in two ways.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "guildhall-demo-"));
  const places = { folder, workspace: join(folder, "hall"), repository: join(folder, "corner-shop") };
  furnishWorkspace(places.workspace, { pace });
  makeRepository(places.repository);
  return places;
}

/** The offline model for everything, whatever keys there are, and the playbooks that it plays. */
function furnishWorkspace(workspace: string, { pace }: DemoPace): void {
  const target = join(workspace, "playbooks");
  mkdirSync(target, { recursive: true });
  writeFileSync(join(workspace, "config.yml"), configOf(pace));
  const source = join(PROGRAM_FOLDER, "src/cli/demo/playbooks");
  for (const name of readdirSync(source))
    writeFileSync(join(target, name), paced(readFileSync(join(source, name), "utf8"), pace));
}

/** Longer than any usual step, at any pace. */
function stallSeconds(pace: number): number {
  return Math.max(3, 2 * pace);
}

/** A member that says nothing for longer is nudged. */
function configOf(pace: number): string {
  const seconds = stallSeconds(pace);
  const health = { checkSeconds: 1, stallSeconds: seconds, modelSeconds: seconds };
  return `version: 1\nmodels:\n  offline: true\nagentTeams:\n  health: ${JSON.stringify(health)}\n`;
}

/** A look at members comes once a second, and what it decides takes a moment. */
const NOTICED_MS = 2_000;

/** The same playbook, played faster or slower. A delay marked `# stalls` lasts until the member is nudged. */
export function paced(playbook: string, pace: number): string {
  return playbook.replace(
    /^( *(?:- )?delayMs: )(\d+)( # stalls)?$/gm,
    (_, key: string, ms: string, stalls?: string) =>
      `${key}${stalls === undefined ? Math.round((Number(ms) * pace) / USUAL_PACE) : stallSeconds(pace) * 1_000 + NOTICED_MS}`,
  );
}

export const FIRST_COMMITS = [
  { message: "Add the price list", paths: ["package.json", "src/prices.js", "src/money.js", "test/money.test.js"] },
  { message: "Add a cart with discount codes", paths: ["src/cart.js", "test/cart.test.js"] },
  { message: "Add a README", paths: ["README.md"] },
];

/** A small shop with a history of three commits, and a test that fails. */
export function makeRepository(repository: string): void {
  mkdirSync(repository, { recursive: true });
  git(repository, "init", "--quiet");
  git(repository, "symbolic-ref", "HEAD", "refs/heads/main");
  for (const { message, paths } of FIRST_COMMITS) {
    for (const path of paths)
      cpSync(join(PROGRAM_FOLDER, "src/cli/demo/corner-shop", path), join(repository, path), { recursive: true });
    git(repository, "add", "--all");
    git(repository, "commit", "--quiet", "--message", message);
  }
}

/** The subjects of the commits on main, the newest first. */
export function commitsOf(repository: string): string[] {
  return git(repository, "log", "--format=%s", "main").trim().split("\n");
}

const PERSON = ["-c", "user.name=Corner Shop", "-c", "user.email=shop@example.org", "-c", "commit.gpgSign=false"];

function git(folder: string, ...words: string[]): string {
  // Neither a hook that starts the demo nor what a person has set up for their own repositories changes this one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  try {
    return execFileSync("git", [...PERSON, ...words], {
      cwd: folder,
      encoding: "utf8",
      env: { ...env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isMissing = "code" in error && error.code === "ENOENT";
    const hint = isMissing
      ? "Install git. The demo works in a real repository."
      : `The command was 'git ${words.join(" ")}'.`;
    throw new HallError("internal", isMissing ? "git not found." : error.message.trim(), { hint });
  }
}
