import { homedir } from "node:os";
import { join } from "node:path";
import { isThere } from "../../store/files/folders.ts";
import { smallText, stampOf, statOf } from "../../store/files/regular-file.ts";
import type { ScratchFolder } from "../../store/files/scratch-folder.ts";
import { keyOf, settingsIn, writtenSetting } from "../../store/git/git-config.ts";
import { vettedConfig } from "./vetted-config.ts";

const FOLDER = "common";
const CONFIG = "config";
/** What git reads and writes of a repository itself: objects, branches, records. Configuration and hooks are not among it. */
const SHARED = ["objects", "refs", "packed-refs", "HEAD", "logs", "worktrees", "info", "shallow", "reftable"];
/** Git makes these when it needs them, which it cannot through a link that leads nowhere. */
const MADE = ["worktrees", "logs"];

/** Folders that a repository must have before git works through a common folder. */
export function foldersToMake(repository: string): string[] {
  return MADE.map((name) => join(repository, name));
}

export interface CommonOf {
  /** What all checkouts of a repository share. */
  repository: string;
  /** What one checkout has for itself, if not the same. */
  records?: string | undefined;
}

/**
 * Makes what git takes for the part of a repository that its checkouts share: links to objects and branches, and the hall's
 * own configuration. Git looks for settings and hooks there and nowhere else, so the repository's own are never read, however
 * often they change. Answers why a repository cannot be used, if so.
 */
export function makeCommonFolder(scratch: ScratchFolder, of: CommonOf): string | undefined {
  const { repository } = of;
  const person = personsFiles();
  const own = configsOf(of).map((path) => ({ path, text: smallText(path) }));
  // Without its settings a repository would be misread.
  const unread = own.find(({ path, text }) => text === undefined && isThere(path));
  if (unread !== undefined) return `'${unread.path}' cannot be read, or is larger than 1 MB`;
  const vetted = vettedConfig({ repository: own.map(({ text = "" }) => text), person: person.configs });
  if ("refused" in vetted) return vetted.refused;
  scratch.folder(FOLDER);
  const excludes = writtenSetting({
    section: "core",
    name: "excludesFile",
    value: scratch.write("excludes", person.excludes),
  });
  scratch.write(`${FOLDER}/${CONFIG}`, `${vetted.text}${excludes}`);
  for (const name of SHARED) scratch.link(`${FOLDER}/${name}`, join(repository, name));
  return undefined;
}

export function commonFolderIn(scratch: ScratchFolder): string {
  return scratch.at(FOLDER);
}

/**
 * Tells one state of a repository's configuration from another. A checkout without a configuration of its own has that of its
 * repository, so that its sandbox also serves commands on the repository alone.
 */
export function stampsOf(of: CommonOf): string {
  const stamps = configsOf(of).map((path) => ({ path, ...stampOf(statOf(path)) }));
  return JSON.stringify(stamps.filter(({ inode }) => inode !== undefined));
}

/** Later ones count. A run's checkout has none of its own, and is as sparse as the first one. */
function configsOf({ repository, records }: CommonOf): string[] {
  const ofCheckouts = [repository, ...(records === undefined ? [] : [records])];
  return [join(repository, CONFIG), ...ofCheckouts.map((folder) => join(folder, "config.worktree"))];
}

/** What the person set for all repositories, and what they want none to track. */
function personsFiles(): { configs: string[]; excludes: string } {
  const home = homedir();
  const folder = join(process.env.XDG_CONFIG_HOME ?? join(home, ".config"), "git");
  const configs = [join(folder, CONFIG), join(home, ".gitconfig")].flatMap((path) => smallText(path) ?? []);
  const named = configs
    .flatMap((text) => settingsIn(text) ?? [])
    .findLast((setting) => keyOf(setting) === "core.excludesfile")?.value;
  const path = named?.replace(/^~(?=\/)/, home) ?? join(folder, "ignore");
  return { configs, excludes: (path.startsWith("/") ? smallText(path) : undefined) ?? "" };
}
