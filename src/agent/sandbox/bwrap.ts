import { callFilterHere } from "./call-filter.ts";
import { kernelSecrets, kernelSettings } from "./kernel-files.ts";
import { expectedMounts, type Layout, layoutOf, PRIVATE_HOME } from "./layout.ts";
import { canLimitProcesses, countsOwnProcesses, innerIds } from "./limits.ts";
import {
  type CommandOrder,
  type Invocation,
  innerEnvironment,
  innerScript,
  programPathFor,
  type Sandbox,
} from "./sandbox.ts";

/** Bubblewrap. */
export const bwrap: Sandbox = {
  name: "bwrap",
  invoke: (order) => {
    const { policy, command, keepsErrors } = order;
    const layout = layoutOf(order);
    const filter = callFilterHere();
    const args = [
      ...NAMESPACES,
      ...(filter === undefined ? [] : ["--seccomp", "4"]),
      ...(policy.network ? [] : ["--unshare-net"]),
      ...identity(),
      ...mountsOf(layout),
    ];
    const env = Object.entries(innerEnvironment(layout.path, PRIVATE_HOME, policy)).flatMap(([name, value]) => [
      "--setenv",
      name,
      value,
    ]);
    const mounts = expectedMounts(order, layout);
    const script = innerScript(policy, { countsOwnProcesses: countsOwnProcesses(), mounts, keepsErrors });
    const inner = ["sh", "-c", script, "sh", command];
    const whole = ["bwrap", ...args, "--clearenv", ...env, "--chdir", order.workdir, "--", ...inner];
    return { ...limited(whole, order), input: filter };
  },
  whyUnfiltered: () => (callFilterHere() === undefined ? `not available for ${process.arch}` : undefined),
};

const NAMESPACES = [
  "--die-with-parent",
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--disable-userns",
  "--hostname",
  "sandbox",
];

/** Bubblewrap's own first process has the command's rights: its memory and descriptors must not be within reach. */
const FIRST_PROCESS = ["--tmpfs", "/proc/1", "--remount-ro", "/proc/1"];

/** Of what is kept in memory. */
const SIZE = ["--size", String(512 * 1024 * 1024)];

function identity(): string[] {
  const { uid, gid } = innerIds();
  return ["--uid", String(uid), "--gid", String(gid)];
}

function mountsOf({ binds, links, hidden, masked, outer }: Layout): string[] {
  const files = masked.filter(({ kind }) => kind === "file");
  const folders = masked.filter(({ kind }) => kind === "folder");
  const bind = ({ access, path, from = path }: (typeof binds)[number]) => [
    access === "write" ? "--bind" : "--ro-bind",
    from,
    path,
  ];
  return [
    ...[...SIZE, "--tmpfs", "/", ...SIZE, "--tmpfs", "/tmp", "--dir", PRIVATE_HOME, "--proc", "/proc", "--dev", "/dev"],
    ...kernelSettings().flatMap((path) => ["--ro-bind", path, path]),
    ...kernelSecrets().flatMap((path) => ["--dev-bind", "/dev/null", path]),
    ...FIRST_PROCESS,
    ...[...SIZE, "--tmpfs", "/dev/shm", "--dir", "/etc"],
    ...["/etc/passwd", "/etc/group", "/etc/hosts"].flatMap((path) => ["--ro-bind-try", path, path]),
    ...links.flatMap(({ path, to }) => ["--symlink", to, path]),
    ...binds.slice(0, outer).flatMap(bind),
    ...hidden.flatMap((path) => ["--tmpfs", path]),
    ...binds.slice(outer).flatMap(bind),
    ...folders.flatMap(({ path }) => ["--tmpfs", path, "--remount-ro", path]),
    ...files.flatMap(({ path }) => ["--dev-bind", "/dev/null", path]),
  ];
}

/** Root's processes are not counted by the kernel unless a namespace around them has a limit of its own. */
function limited(whole: string[], order: CommandOrder): Invocation {
  const { policy } = order;
  const [program = "", ...args] = whole;
  const env = { PATH: programPathFor(order) };
  if (process.getuid?.() !== 0 || !canLimitProcesses()) return { program, args, env, cwd: "/" };
  const around = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child=KILL", "--", "sh", "-c"];
  const script = `echo ${policy.processes + 300} > /proc/sys/kernel/pid_max && exec "$@"`;
  const outer = ["--pdeathsig", "KILL", "unshare", ...around, script, "sh", ...whole];
  return { program: "setpriv", args: outer, env, cwd: "/" };
}
