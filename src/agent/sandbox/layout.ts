import { homedir } from "node:os";
import { basename, dirname } from "node:path";
import { isWithin, realPlaceOf } from "../../store/folders.ts";
import { linkTarget, type MountPoint, mountPoints, mountText, placeKind } from "../../store/host-places.ts";
import type { CommandOrder } from "./sandbox.ts";

/** Something of the machine, seen inside at the same place, unless it is from elsewhere. */
export interface Bind {
  path: string;
  from?: string;
  kind: "folder" | "file";
  access: "read" | "write";
}

/** What a command finds inside, beside devices, processes and private folders. In order: later ones cover earlier ones. */
export interface Layout {
  binds: Bind[];
  /** How many of them are of the machine; those after them are what commands work on. */
  outer: number;
  links: { path: string; to: string }[];
  /** Folders of the machine inside a bind that are found empty. */
  hidden: string[];
  /** The search path for programs. */
  path: string;
}

export const PRIVATE_HOME = "/home/agent";
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
/** Of /etc, what programs need to start, to tell names and times and to trust certificates. */
const ETC = [
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/ld.so.cache",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/nsswitch.conf",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/certs",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
];
const ETC_OF_NETWORK = ["/etc/resolv.conf", "/etc/services"];
/** Folders right in a home that hold toolchains and nothing else. */
const TOOL_HOMES = new Set([".pyenv", ".rbenv", ".volta", ".asdf", ".bun", ".deno", ".rustup", ".nvm", ".fnm"]);

export function layoutOf({ workdir, policy, protectedPaths, openPaths, lent }: CommandOrder): Layout {
  const tools = toolFolders(policy.hidden);
  const links = SYSTEM.flatMap((path) => {
    const to = linkTarget(path);
    return to === undefined ? [] : [{ path, to }];
  });
  const system = SYSTEM.filter((path) => linkTarget(path) === undefined);
  const read = [...system, ...ETC, ...(policy.network ? ETC_OF_NETWORK : []), ...tools.folders, ...policy.readable];
  const outer = bindsOf(withoutInner(read), "read");
  const binds = [
    ...outer,
    ...bindsOf(policy.writable, "write"),
    ...bindsOf([workdir], openPaths === undefined ? "write" : "read"),
    ...bindsOf(openPaths ?? [], "write"),
    ...bindsOf(protectedPaths, "read"),
    ...lent.map((one): Bind => ({ ...one, kind: "folder", access: "read" })),
  ];
  return {
    binds,
    outer: outer.length,
    links,
    hidden: policy.hidden.filter((path) => read.some((from) => isWithin(path, from))),
    path: tools.path,
  };
}

function bindsOf(paths: readonly string[], access: Bind["access"]): Bind[] {
  return paths.flatMap((path) => {
    const kind = placeKind(path);
    return kind === "folder" || kind === "file" ? [{ path, kind, access }] : [];
  });
}

/** The folders of PATH that may be shown, and what must be shown with them so that their programs run. */
function toolFolders(hidden: readonly string[]): { folders: string[]; path: string } {
  const home = realPlaceOf(homedir());
  const given = [...(process.env.PATH ?? "").split(":"), dirname(process.execPath), "/usr/bin", "/bin"];
  const usable = [...new Set(given)].filter(
    (path) => path.startsWith("/") && placeKind(path) === "folder" && !hidden.some((root) => isWithin(path, root)),
  );
  const folders = usable
    .filter((path) => !SYSTEM.some((root) => isWithin(path, root)))
    .flatMap((path) => [toolRoot(path, home), toolRoot(realPlaceOf(path), home)])
    .filter((path) => !hidden.some((root) => isWithin(root, path)));
  return { folders: [...new Set(folders)], path: usable.join(":") };
}

/** `bin` stands beside the libraries of its programs; in a home, though, it may stand beside anything. */
function toolRoot(path: string, home: string): string {
  const inHome = isWithin(path, home) ? path.slice(home.length + 1).split("/") : [];
  const [first] = inHome;
  if (first !== undefined && TOOL_HOMES.has(first)) return `${home}/${first}`;
  const root = dirname(path);
  const isOwn = basename(path) === "bin" && root !== "/" && !isWithin(home, root) && inHome.length !== 2;
  return isOwn ? root : path;
}

function withoutInner(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)));
}

/** Flags that a mount has, which nobody without rights over it may take away. */
export function fixedFlags(path: string, points = mountPoints()): string[] {
  return (mountOf(path, points)?.options ?? []).filter((option) => option === "noexec" || option === "ro");
}

function mountOf(path: string, points: readonly MountPoint[]): MountPoint | undefined {
  const around = points.filter((point) => isWithin(path, point.path));
  return around.reduce<MountPoint | undefined>(
    (best, point) => (best === undefined || point.path.length >= best.path.length ? point : best),
    undefined,
  );
}

/**
 * What the kernel's list of mounts must say inside, for each path that is protected: a part of the line. Whoever works in the
 * same folder may put a link in the place of such a path after it was found, and what it leads to would be shown.
 */
export function expectedMounts(order: CommandOrder, { binds }: Layout): string[] {
  const { workdir, protectedPaths, openPaths = [] } = order;
  // The working folder itself may lie in one that agents of another project can change.
  const paths = [workdir, ...openPaths, ...protectedPaths];
  const points = mountPoints();
  const bound = new Set(binds.map(({ path }) => path));
  return paths.flatMap((path) => {
    const mount = bound.has(path) ? mountOf(path, points) : undefined;
    if (mount === undefined) return [];
    const within = path.slice(mount.path === "/" ? 0 : mount.path.length);
    const shown = `${mount.root === "/" ? "" : mount.root}${within}` || "/";
    return [` ${mountText(shown)} ${mountText(path)} `];
  });
}

/** Mounts below a folder: to be made read-only one by one. */
export function mountsBelow(path: string, points = mountPoints()): string[] {
  return [...new Set(points.map((point) => point.path))].filter((point) => point !== path && isWithin(point, path));
}
