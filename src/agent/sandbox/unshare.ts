import { dirname } from "node:path";
import { linkTarget, mountPoints } from "../../store/host/host-places.ts";
import { filterLoader } from "./filter-loader.ts";
import { kernelSecrets, kernelSettings } from "./kernel-files.ts";
import { type Bind, expectedMounts, fixedFlags, type Layout, layoutOf, mountsBelow, PRIVATE_HOME } from "./layout.ts";
import { canLimitProcesses, countsOwnProcesses, innerIds } from "./limits.ts";
import { type CommandOrder, innerEnvironment, innerScript, programPathFor, quoted, type Sandbox } from "./sandbox.ts";

/** Where the new root is put together, in a mount namespace of its own. Nothing of the machine's /sys is shown inside. */
const ROOT = "/sys";
const DEVICES = ["null", "zero", "full", "random", "urandom"];
const STREAMS = [
  { path: "/dev/fd", to: "/proc/self/fd" },
  { path: "/dev/stdin", to: "/proc/self/fd/0" },
  { path: "/dev/stdout", to: "/proc/self/fd/1" },
  { path: "/dev/stderr", to: "/proc/self/fd/2" },
];
const EMPTY = "/run/empty";
const SIZE = "512m";

const NAMESPACES = ["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL"];

/** The tools of util-linux, which every Linux has. */
export const unshare: Sandbox = {
  name: "unshare",
  invoke: (order) => {
    const { policy, workdir, keepsErrors } = order;
    const layout = layoutOf(order);
    const namespaces = [...NAMESPACES, ...(policy.network ? [] : ["--net"])];
    const mounts = expectedMounts(order, layout);
    const inner = innerScript(policy, { countsOwnProcesses: countsOwnProcesses(), mounts, keepsErrors });
    const env = Object.entries(innerEnvironment(layout.path, PRIVATE_HOME, policy)).map(
      ([name, value]) => `${name}=${value}`,
    );
    const { uid, gid } = innerIds();
    const own = ["--user", `--map-user=${uid}`, `--map-group=${gid}`];
    const loader = filterLoader();
    const command = [...("words" in loader ? loader.words : []), "sh", "-c", inner, "sh", order.command];
    const run = ["setpriv", "--no-new-privs", "unshare", ...own, "--", "env", "-i", ...env, ...command];
    return {
      program: "setpriv",
      args: [
        "--pdeathsig",
        "KILL",
        "unshare",
        ...namespaces,
        "--",
        "sh",
        "-c",
        setup(order, layout),
        "sh",
        workdir,
        ...run,
      ],
      env: { PATH: `${programPathFor(order)}:/usr/sbin:/usr/bin:/sbin:/bin` },
      cwd: "/",
    };
  },
  whyUnfiltered: () => {
    const loader = filterLoader();
    return "missing" in loader ? loader.missing : undefined;
  },
};

/** Stays as the first process: it gathers the dead, and when it ends, the kernel ends everything the command left. */
function setup(order: CommandOrder, layout: Layout): string {
  const { binds, links } = layout;
  const own = binds.filter(({ from, kind }) => from === undefined || kind === "file");
  const folders = [
    ...new Set([...PRIVATE, ...own.map((bind) => (bind.kind === "folder" ? bind.path : dirname(bind.path)))]),
  ];
  const files = [EMPTY, ...DEVICES.map((name) => `/dev/${name}`), ...namesOf(binds)];
  const { uid, gid } = innerIds();
  const inside = (path: string) => quoted(`${ROOT}${path}`);
  return [
    "set -e",
    // One more namespace of users is made below; the command can make none.
    "echo 1 > /proc/sys/user/max_user_namespaces",
    ...(canLimitProcesses() ? [`echo ${order.policy.processes + 300} > /proc/sys/kernel/pid_max`] : []),
    `mount -t tmpfs -o nosuid,nodev,size=${SIZE},mode=755 tmpfs ${ROOT}`,
    `mkdir -p ${folders.map(inside).join(" ")}`,
    ...files.map((path) => `: > ${inside(path)}`),
    `chmod 1777 ${inside("/tmp")} ${inside("/dev/shm")}`,
    ...linked(links),
    `printf '%s\\n' 'root:x:0:0::/root:/bin/sh' 'agent:x:${uid}:${gid}::${PRIVATE_HOME}:/bin/sh' > ${ROOT}/etc/passwd`,
    `printf '%s\\n' 'root:x:0:' 'agent:x:${gid}:' > ${ROOT}/etc/group`,
    `printf '%s\\n' '127.0.0.1 localhost' '::1 localhost' > ${ROOT}/etc/hosts`,
    ...linked(STREAMS),
    `printf %s ${quoted(table(layout))} > ${ROOT}/run/mounts`,
    `mount -a -T ${ROOT}/run/mounts >&2`,
    // The hall's own commands talk to nobody.
    ...(order.isOwn === true ? [] : ["ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || :"]),
    `cd ${ROOT}`,
    "pivot_root . .",
    "umount -l .",
    'cd "$1"',
    "shift",
    "set +e",
    // A shell gives what it starts in the background no input, unless it comes from another descriptor.
    "exec 5<&0",
    '"$@" <&5 5<&- &',
    "exec 0<&- 1>&- 2>&- 3>&- 4<&- 5<&-",
    "wait $!",
  ].join("\n");
}

const PRIVATE = [PRIVATE_HOME, "/tmp", "/run", "/etc", "/proc", "/dev/shm", "/var/tmp"];

/** Those of one folder by one program, where the machine has the same: each program takes longer to start than to make them all. */
function linked(links: Layout["links"]): string[] {
  const isHere = ({ path, to }: { path: string; to: string }) => linkTarget(path) === to;
  const copied = Map.groupBy(links.filter(isHere), ({ path }) => dirname(path));
  return [
    ...[...copied].map(
      ([folder, all]) => `cp -P ${all.map(({ path }) => quoted(path)).join(" ")} ${quoted(ROOT + folder)}`,
    ),
    ...links.filter((link) => !isHere(link)).map(({ path, to }) => `ln -s ${quoted(to)} ${quoted(ROOT + path)}`),
  ];
}

function namesOf(binds: readonly Bind[]): string[] {
  const folders = binds.filter(({ kind }) => kind === "folder");
  return binds
    .filter(({ kind, path }) => kind === "file" && !folders.some((folder) => path.startsWith(`${folder.path}/`)))
    .map(({ path }) => path);
}

/** All mounts at once, as a table: a program for each would take most of the time. */
function table({ binds, hidden, masked, outer }: Layout): string {
  const points = mountPoints();
  const shown = (bind: Bind): string[] => [
    entry(bind.from ?? bind.path, bind.path, [
      "rbind",
      ...(bind.access === "read" ? ["ro"] : []),
      ...flags(bind.from ?? bind.path),
    ]),
    ...(bind.access === "write" || bind.kind === "file" || bind.from !== undefined ? [] : below(bind.path)),
  ];
  const flags = (path: string) => [...new Set(["nosuid", "nodev", ...fixedFlags(path, points)])];
  const below = (path: string) =>
    mountsBelow(path, points).map((point) => entry(point, point, ["bind", ...flags(point), "ro", "nofail"]));
  return [
    `proc ${ROOT}/proc proc nosuid,nodev,noexec 0 0`,
    ...kernelSettings().map((path) => entry(`${ROOT}${path}`, path, ["bind", "ro", "nosuid", "nodev", "noexec"])),
    ...kernelSecrets().map((path) => entry(`${ROOT}${EMPTY}`, path, ["bind", "ro", "nosuid", "nodev"])),
    // What set all this up tells in its arguments where everything is.
    `tmpfs ${ROOT}/proc/1 tmpfs ro,nosuid,nodev,size=4k 0 0`,
    ...DEVICES.map((name) => entry(`/dev/${name}`, `/dev/${name}`, ["bind"])),
    ...binds.slice(0, outer).flatMap(shown),
    ...hidden.map((path) => `tmpfs ${ROOT}${escaped(path)} tmpfs ro,nosuid,nodev,size=4k 0 0`),
    ...binds.slice(outer).flatMap(shown),
    ...masked.map(({ path, kind }) =>
      kind === "folder"
        ? `tmpfs ${ROOT}${escaped(path)} tmpfs ro,nosuid,nodev,size=4k 0 0`
        : entry(`${ROOT}${EMPTY}`, path, ["bind", "ro", "nosuid", "nodev"]),
    ),
    "",
  ].join("\n");
}

function entry(source: string, path: string, options: readonly string[]): string {
  return `${escaped(source)} ${ROOT}${escaped(path)} none ${options.join(",")} 0 0`;
}

/** Only what separates fields, lines and comments there: other letters, such as wide spaces, are more than one byte. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\v\f\r\\#]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
