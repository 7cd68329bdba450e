import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolSearch } from "../../contract/runs/tool-search.ts";
import { isWithin, realPlaceOf } from "../../store/files/folders.ts";
import { placeKind } from "../../store/host/host-places.ts";
import { toolchainOf } from "../../store/host/toolchains.ts";
import { ProtectedSearch } from "../../store/secrets/protected-places.ts";
import type { Masked } from "./sandbox.ts";

/** What is shown of the machine because of PATH. */
export interface ToolFolders {
  folders: string[];
  /** Secrets in them, and in what is shown anyway: found empty. */
  masked: Masked[];
  /** The search path for programs. */
  path: string;
}

/** Shown as part of the system, but filled by the person. */
const LOCAL = "/usr/local";
/** Folders that are looked into there: hiding all of it would leave many machines without their programs. */
const MOST_OF_LOCAL = 500_000;
/** Commands cannot write to toolchains, so a search holds for a while; it is long where many packages are installed. */
const SEARCH_AGAIN_MS = 60_000;

/** Toolchains bring keys for their own tests along, and many folders without names of interest. */
const PASSED_OVER = new Set(["__pycache__", "test", "tests", "testdata"]);

interface Known {
  at: number;
  /** Undefined: another process made it. */
  search: ProtectedSearch | undefined;
  masked: Masked[] | undefined;
}
const known = new Map<string, Known>();

interface Look {
  hidden: readonly string[];
  system: readonly string[];
  isSearched: boolean;
  now: number;
}

let last: { key: string; at: number; shown: ToolFolders } | undefined;

/** The folders of PATH outside the system's that may be shown, with what their programs need. */
export function toolFolders(
  hidden: readonly string[],
  system: readonly string[],
  { isSearched, now = Date.now() }: { isSearched: boolean; now?: number },
): ToolFolders {
  const key = JSON.stringify([process.env.PATH, homedir(), hidden, isSearched]);
  if (last?.key === key && now - last.at < SEARCH_AGAIN_MS) return last.shown;
  last = { key, at: now, shown: lookedUp({ hidden, system, isSearched, now }) };
  return last.shown;
}

function lookedUp({ hidden, system, isSearched, now }: Look): ToolFolders {
  const home = realPlaceOf(homedir());
  const given = [...(process.env.PATH ?? "").split(":"), dirname(process.execPath), "/usr/bin", "/bin"];
  const isHidden = (path: string) => hidden.some((root) => isWithin(path, root));
  const isSystem = (path: string) => system.some((root) => isWithin(path, root));
  const secrets = (path: string) => (isSearched ? secretsIn(path, now) : []);
  const folders: string[] = [];
  const usable: string[] = [];
  for (const path of new Set(given)) {
    if (!path.startsWith("/") || placeKind(path) !== "folder" || isHidden(path)) continue;
    const own = isSystem(path) ? [] : folderOf(path, home).filter((one) => !hidden.some((root) => isWithin(root, one)));
    const open = own.filter((one) => secrets(one) !== undefined);
    if (!isSystem(path) && !open.some((one) => isWithin(path, one))) continue;
    usable.push(path);
    folders.push(...open);
  }
  const shown = [...new Set(folders)];
  const local = isSearched ? secretsOfLocal(now) : [];
  return { folders: shown, masked: [...shown.flatMap((one) => secrets(one) ?? []), ...local], path: usable.join(":") };
}

/** A folder of PATH may be a link; programs find their libraries from where it leads. */
function folderOf(path: string, home: string): string[] {
  const place = realPlaceOf(path);
  const all = [...toolchainOf(path, home), ...(place === path ? [] : toolchainOf(place, home))];
  return [...new Set(all)];
}

function secretsOfLocal(now: number): Masked[] {
  return placeKind(LOCAL) === "folder"
    ? (secretsIn(LOCAL, now, MOST_OF_LOCAL) ?? [{ path: LOCAL, kind: "folder" }])
    : [];
}

/** The searches of this process and others that still hold, those of one moment and later. */
export function toolSearches(since = 0, now = Date.now()): ToolSearch[] {
  return [...known].flatMap(([folder, { at, masked }]) =>
    masked === undefined || at < since || now - at >= SEARCH_AGAIN_MS ? [] : [{ folder, at, masked }],
  );
}

/** A search of a large toolchain takes a quarter of a second: what another process found need not be searched again so soon. */
export function adoptSearches(searches: readonly ToolSearch[]): void {
  for (const { folder, at, masked } of searches) {
    const before = known.get(folder);
    if (before === undefined || before.at < at) known.set(folder, { at, search: before?.search, masked });
  }
}

/** Undefined when the folder cannot be searched: it is not shown then. */
function secretsIn(folder: string, now: number, most?: number): Masked[] | undefined {
  if (placeKind(folder) !== "folder") return [];
  const before = known.get(folder);
  if (before !== undefined && now - before.at < SEARCH_AGAIN_MS) return before.masked;
  const use = { now: Date.now, isOthers: true, passedOver: PASSED_OVER, ...(most === undefined ? {} : { most }) };
  const search = before?.search ?? new ProtectedSearch(folder, use);
  const found = search.find();
  const masked = found && maskedIn(folder, [...found.secrets, ...found.gitFolders]);
  known.set(folder, { at: now, search, masked });
  return masked;
}

/** Paths in a folder, as places that are found empty. Those that are gone need none. */
export function maskedIn(folder: string, paths: readonly string[]): Masked[] {
  return paths.flatMap((path): Masked[] => {
    const kind = placeKind(join(folder, path));
    return kind === undefined ? [] : [{ path: join(folder, path), kind: kind === "folder" ? "folder" : "file" }];
  });
}
