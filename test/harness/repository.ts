import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Hall } from "./daemon.ts";
import { temporaryFolder } from "./daemon.ts";
import { furnish, PROJECT } from "./spawned-runs.ts";
import type { Cleaner } from "./temporary-folder.ts";

export interface PersonsRepository {
  root: string;
  git(...args: string[]): string;
  at(path: string): string;
  text(path: string): string;
  exists(path: string): boolean;
  write(path: string, content: string | Uint8Array): void;
  /** The files of the newest commit of a branch. */
  committed(branch: string, path: string): string;
  branches(): string[];
  /** Every byte of the checkout outside .git. */
  snapshot(): Record<string, string>;
}

/** A person's repository with one commit on main; gone after the test. */
export function repository(files: Record<string, string>, name = "work", later?: Cleaner): PersonsRepository {
  const root = join(temporaryFolder(later), name);
  mkdirSync(root, { recursive: true });
  const made = repositoryAt(root);
  made.git("init", "--quiet", "--initial-branch=main");
  for (const [path, content] of Object.entries(files)) made.write(path, content);
  made.git("add", "--all");
  made.git("commit", "--quiet", "--allow-empty", "-m", "First");
  return made;
}

export function repositoryAt(root: string): PersonsRepository {
  const at = (path: string) => join(root, path);
  const person = [
    "-c",
    "user.name=Pat",
    "-c",
    "user.email=pat@example.org",
    "-c",
    "commit.gpgSign=false",
    "-c",
    "maintenance.auto=false",
  ];
  const git = (...args: string[]) =>
    execFileSync("git", [...person, ...args], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trimEnd();
  return {
    root,
    git,
    at,
    text: (path) => readFileSync(at(path), "utf8"),
    exists: (path) => existsSync(at(path)),
    write: (path, content) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    },
    committed: (branch, path) => git("show", `${branch}:${path}`),
    branches: () => git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n"),
    snapshot: () => Object.fromEntries(filesOf(root, "")),
  };
}

function filesOf(root: string, folder: string): [string, string][] {
  return readdirSync(join(root, folder))
    .filter((name) => folder !== "" || name !== ".git")
    .flatMap((name): [string, string][] => {
      const path = join(folder, name);
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) return filesOf(root, path);
      return [[path, stats.isSymbolicLink() ? "link" : readFileSync(join(root, path)).toString("base64")]];
    });
}

/** A hall whose project works in the repository. */
export async function hallOver(
  hall: Hall,
  { root, config = {}, playbooks }: { root: string; config?: object; playbooks: Record<string, string> },
): Promise<Hall> {
  await furnish(hall, playbooks);
  const { status, body } = await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: root, config });
  expect(status, JSON.stringify(body)).toBe(200);
  return hall;
}

/** A playbook that writes these files and says so. */
export function writing(files: Record<string, string>, { delayMs = 0, more = "" } = {}): string {
  const calls = Object.entries(files).map(([path, content]) => ({ tool: "write", input: { path, content } }));
  return JSON.stringify({
    turns: [
      { delayMs, calls },
      ...(more === "" ? [] : [JSON.parse(more)]),
      { calls: [{ tool: "report", input: { summary: "Written.", outcome: "full" } }] },
      { text: "Done." },
    ],
  });
}
