import { dirname } from "node:path";
import { isWithin } from "../../store/files/folders.ts";
import { linkTarget, type MountPoint, mountPoints, mountText, placeKind } from "../../store/host/host-places.ts";
import type { CommandOrder, Masked } from "./sandbox.ts";
import { toolFolders } from "./tool-folders.ts";

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
  /** Found empty: what the command must not see, and secrets in the toolchains. */
  masked: Masked[];
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
export function layoutOf({
  workdir,
  policy,
  masked,
  protectedPaths,
  openPaths,
  lent,
  skipsSearch,
}: CommandOrder): Layout {
  const tools = toolFolders(policy.hidden, SYSTEM, { isSearched: skipsSearch !== true });
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
    ...lent.map(({ kind = "folder", ...one }): Bind => ({ ...one, kind, access: "read" })),
  ];
  return {
    binds,
    outer: outer.length,
    links,
    hidden: policy.hidden.filter((path) => read.some((from) => isWithin(path, from))),
    masked: outermost([...tools.masked, ...masked]),
    path: tools.path,
  };
}

function bindsOf(paths: readonly string[], access: Bind["access"]): Bind[] {
  return paths.flatMap((path) => {
    const kind = placeKind(path);
    return kind === "folder" || kind === "file" ? [{ path, kind, access }] : [];
  });
}

function withoutInner(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)));
}

/** Nothing can be put into a folder that is empty and read-only. */
function outermost(masked: readonly Masked[]): Masked[] {
  const byPath = new Map(masked.map((one) => [one.path, one]));
  const isCovered = (path: string): boolean => {
    const around = dirname(path);
    return around !== path && (byPath.get(around)?.kind === "folder" || isCovered(around));
  };
  return [...byPath.values()].filter(({ path }) => !isCovered(path));
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
