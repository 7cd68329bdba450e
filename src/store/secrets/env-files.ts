import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { listFolder } from "../files/folders.ts";
import { KeptReading } from "../files/kept-reading.ts";
import { smallText } from "../files/regular-file.ts";
import { type KnownSecret, SHORTEST_SECRET } from "./known-values.ts";
import { isEveryday, isPlaceName, isSecretName, isSecretNumber } from "./secret-names.ts";
import { isRandom } from "./secret-shapes.ts";
import { parseSecrets } from "./secrets.ts";

const LARGEST = 256 * 1024;
const MOST_FILES = 100;
/** Of all files together. */
const MOST_BYTES = 1024 * 1024;
const MOST_FOLDERS = 300;
const DEEPEST = 2;
const ENV_NAME = /^(?:\.env(?:[._-].*)?|\.envrc)$/i;
/** Templates are there to be read, and hold no secrets. */
const TEMPLATE = /(?:example|sample|template|dist|schema)$/i;
/** As keys are written, however often a letter comes up. */
const KEY_LIKE = /^(?:[0-9a-fA-F]{24,}|[A-Za-z\d+/_=-]{32,})$/;
const JOINED_WORDS = /^[a-z]+(?:[-_/][a-z\d]+)+$|^[A-Z]+(?:[-_][A-Z\d]+)+$/;
const ADDRESS_PASSWORD = /:\/\/[^\s:/@]*:([^\s@]+)@/;
const PASSED_OVER = new Set(["node_modules", ".git", "dist", "build", "target", ".venv", "venv", "vendor"]);

/** What a folder has: folders that may be looked into, and env files. */
interface Found {
  folders: string[];
  files: string[];
}

interface Reading {
  values: Record<string, string>;
  length: number;
}

/** They are looked for with every run, and seldom change. */
const listings = new KeptReading<Found>(3_000);
const readings = new KeptReading<Reading>(300);

export interface EnvFolders {
  /** Folders whose `.env*` files are read, down to two folders deep. */
  folders: readonly string[];
  /** Files that the project names as its env files: absolute, or relative to one of the folders. */
  named: readonly string[];
  /** Folders that are not looked into: the hall alone writes there, more with every run. */
  passedOver?: readonly string[];
}

/** The values in a project's env files that must not be shown. Files that cannot be read have none. */
export function envSecrets({ folders, named, passedOver = [] }: EnvFolders): KnownSecret[] {
  const chosen = named.flatMap((path) => (isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path))));
  const found = [...new Set(folders)].flatMap((folder) => envFilesBelow(folder, passedOver));
  const all = [...new Set([...chosen, ...oldest(found, MOST_FILES)])];
  let left = MOST_BYTES;
  return all.flatMap((path) => {
    const { values, length } = readingAt(path);
    left -= length;
    if (left < 0) return [];
    return Object.entries(values).flatMap(([name, value]) =>
      secretParts({ name, value }, chosen.includes(path) || isTelling({ name, value })),
    );
  });
}

/** Of what the daemon itself was given: what is named as a secret and looks like one, and passwords in addresses. */
export function namedSecrets(values: Record<string, string | undefined>): KnownSecret[] {
  return Object.entries(values).flatMap(([name, value = ""]) =>
    secretParts({ name, value }, isSecretName(name) && !isPlaceName(name)),
  );
}

/** The whole of a value that counts as a secret, and the password of one that is an address, whatever it counts as. */
function secretParts({ name, value }: KnownSecret, isSecret: boolean): KnownSecret[] {
  const trimmed = value.trim();
  const password = ADDRESS_PASSWORD.exec(trimmed)?.[1];
  const parts = [
    ...(isSecret && !isEveryday(name, trimmed) ? [trimmed] : []),
    ...(password === undefined || isEveryday("PASSWORD", password) ? [] : [password]),
  ];
  return parts.filter((part) => part.length >= SHORTEST_SECRET).map((part) => ({ name, value: part }));
}

/** A value in an env file that nobody named counts when its name says so or when it looks like a key. */
function isTelling({ name, value }: KnownSecret): boolean {
  const trimmed = value.trim();
  if (isSecretName(name) || isSecretNumber(name, trimmed)) return true;
  if (ADDRESS_PASSWORD.test(trimmed)) return false;
  return (trimmed.length >= 16 && isRandom(trimmed)) || (KEY_LIKE.test(trimmed) && !JOINED_WORDS.test(trimmed));
}

function envFilesBelow(root: string, passedOver: readonly string[]): string[] {
  const files: string[] = [];
  let folders = [root];
  let seen = 0;
  for (let depth = 0; depth <= DEEPEST && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (++seen > MOST_FOLDERS) return files;
      const found = foundAt(folder);
      below.push(...found.folders);
      files.push(...found.files);
    }
    folders = oldest(
      below.filter((folder) => !passedOver.includes(folder)),
      MOST_FOLDERS,
    );
  }
  return files;
}

function foundAt(folder: string): Found {
  try {
    return listings.of(folder, () => foundIn(folder));
  } catch {
    return { folders: [], files: [] };
  }
}

function foundIn(folder: string): Found {
  const found: Found = { folders: [], files: [] };
  for (const entry of listFolder(folder)) {
    if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) found.folders.push(`${folder}/${entry.name}`);
    else if (ENV_NAME.test(entry.name) && !TEMPLATE.test(entry.name)) found.files.push(`${folder}/${entry.name}`);
  }
  return found;
}

/** Those that were there first: whatever a command makes, it cannot crowd out what a person had. */
function oldest(paths: readonly string[], most: number): string[] {
  if (paths.length <= most) return [...paths];
  const bornAt = new Map(paths.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0]));
  return paths.toSorted((left, right) => (bornAt.get(left) ?? 0) - (bornAt.get(right) ?? 0)).slice(0, most);
}

function readingAt(path: string): Reading {
  try {
    return readings.of(path, () => readingIn(path));
  } catch {
    return { values: {}, length: 0 };
  }
}

function readingIn(path: string): Reading {
  const text = smallText(path);
  if (text === undefined || text.length > LARGEST) throw new Error(`${path} cannot be read.`);
  return { values: parseSecrets(text).values, length: text.length };
}
