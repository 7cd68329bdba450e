import { type Dirent, existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { entriesIn, realPlaceOf } from "../files/folders.ts";
import { type Ground, groundOf, protectionOf } from "../files/paths.ts";
import { codeOf, isNowhere, smallText } from "../files/regular-file.ts";
import { isShownOfGit } from "../git/git-view.ts";

/** Others' programs: what lies in them is known to everybody, keys that lie about excepted. */
const OTHERS_WORK = new Set(["node_modules", ".venv", "venv", "target", "__pycache__", "vendor"]);
const CERTIFICATES = /\.pem$/i;
/** A branch may be called as files with keys are. */
const REF_PLACE = /(?:^|\/)refs\//;
const REF = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n$/;
const MOST_FOLDERS = 100_000;
/** What was changed so shortly ago may be changed again without a sign of it. */
const SETTLED_MS = 1_000;

/** Relative to the folder they were looked for in. */
export interface ProtectedPlaces {
  /** Files and folders that usually hold secrets. */
  secrets: string[];
  /** Files and folders that steer the hall or other tools. What is in such a folder is not listed again. */
  controls: string[];
  /** Git's own folders: `.git`, those of submodules, and bare repositories in control folders and in others' folders. */
  gitFolders: string[];
}

export interface SearchUse {
  now: () => number;
  /** Folders that are looked into. */
  most?: number;
  /** Whether all of it is others' programs. */
  isOthers?: boolean;
  /** Names of folders that are not looked into. Only where commands cannot write: they would hide things in them. */
  passedOver?: ReadonlySet<string>;
}

interface Listing extends ProtectedPlaces {
  stamp: string;
  folders: string[];
}

/**
 * Finds everything in a folder that is protected by its name, however deep: what a command makes or moves must not hide
 * anything from the next look. Folders that did not change are not read again.
 */
export class ProtectedSearch {
  readonly root: string;
  readonly #use: SearchUse;
  #known = new Map<string, Listing>();
  #ground: Ground = "project";

  constructor(root: string, use: SearchUse) {
    this.root = root;
    this.#use = use;
  }

  /** Undefined when there are too many folders to look through, or one that cannot be looked into. Links are not followed. */
  find(): ProtectedPlaces | undefined {
    try {
      return this.#find();
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return undefined;
    }
  }

  #find(): ProtectedPlaces | undefined {
    const { most = MOST_FOLDERS } = this.#use;
    const ground = groundOf((name) => existsSync(join(this.root, name)));
    if (ground !== this.#ground) this.#known.clear();
    this.#ground = ground;
    const seen = new Map<string, Listing>();
    const found: ProtectedPlaces = { secrets: [], controls: [], gitFolders: [] };
    const waiting = [""];
    let count = 0;
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (++count > most) return undefined;
      const listing = this.#listing(folder, seen);
      found.secrets.push(...listing.secrets);
      found.controls.push(...listing.controls);
      found.gitFolders.push(...listing.gitFolders);
      waiting.push(...listing.folders);
    }
    this.#known = seen;
    return found;
  }

  #listing(folder: string, seen: Map<string, Listing>): Listing {
    const absolute = join(this.root, folder);
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    const stamp = stats === undefined ? "" : `${stats.ino} ${stats.ctimeMs}`;
    const known = this.#known.get(folder);
    const listing = known?.stamp === stamp ? known : this.#read(folder, stamp);
    if (stats !== undefined && this.#use.now() - stats.ctimeMs > SETTLED_MS) seen.set(folder, listing);
    return listing;
  }

  #read(folder: string, stamp: string): Listing {
    const listing: Listing = { stamp, folders: [], secrets: [], controls: [], gitFolders: [] };
    const isOthers = this.#use.isOthers === true || folder.split("/").some((name) => OTHERS_WORK.has(name));
    const isInControl = folder !== "" && protectionOf(`${folder}/x`, this.#ground) === "control";
    const entries = searched(join(this.root, folder));
    const isGit = (isInControl || this.#use.isOthers === true) && isGitFolder(folder, entries);
    if (isGit) listing.gitFolders.push(folder);
    // Whoever shows a git folder shows only what git needs of it; the rest may be huge.
    const isPassedOver = (name: string) => this.#use.passedOver?.has(name) === true || (isGit && !isShownOfGit(name));
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const protection = protectionOf(entry.isDirectory() ? `${path}/x` : path, this.#ground);
      if (protection === "secret") {
        if (this.#isSecret(path, isOthers)) listing.secrets.push(...this.#secretPlaces(entry, path));
        continue;
      }
      if (protection === "control" && !isInControl && !entry.isSymbolicLink()) listing.controls.push(path);
      if (entry.isDirectory() && !isPassedOver(entry.name)) listing.folders.push(path);
    }
    return listing;
  }

  #isSecret(path: string, isOthers: boolean): boolean {
    if (REF_PLACE.test(join(this.root, path)) && REF.test(this.#text(path) ?? "")) return false;
    return !isOthers || this.#isSecretOfOthers(path);
  }

  /** Programs bring the certificates they trust along, in files that may hold keys as well. */
  #isSecretOfOthers(path: string): boolean {
    return !CERTIFICATES.test(path) || this.#text(path)?.includes("PRIVATE KEY") !== false;
  }

  /** Undefined when it is no file, or one too large to be read: an agent may have made it. */
  #text(path: string): string | undefined {
    return smallText(join(this.root, path));
  }

  /** A link is as secret as what it leads to, if that lies here. */
  #secretPlaces(entry: Dirent, path: string): string[] {
    if (!entry.isSymbolicLink()) return [path];
    const place = realPlaceOf(join(this.root, path));
    const base = realPlaceOf(this.root);
    return place.startsWith(`${base}/`) && place !== join(base, path) ? [place.slice(base.length + 1)] : [];
  }
}

function isGitFolder(folder: string, entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return basename(folder).toLowerCase() === ".git" || (names.has("HEAD") && names.has("objects"));
}

/** A folder that its owner has closed can be opened again by a command, which has the same owner; others' cannot. */
function searched(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isNowhere(error)) return [];
    const isOurs = lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (codeOf(error) === "EACCES" && !isOurs) return [];
    throw error;
  }
}

/**
 * What stands at the top of a project's own folder and is not protected; undefined elsewhere. The hall writes beside it:
 * whoever could make, move or catch files there would write in its place.
 */
export function openInOwnFolder(root: string): string[] | undefined {
  if (groundOf((name) => existsSync(join(root, name))) !== "project") return undefined;
  return entriesIn(root)
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .filter((entry) => protectionOf(entry.isDirectory() ? `${entry.name}/x` : entry.name, "project") === undefined)
    .map((entry) => join(root, entry.name));
}
