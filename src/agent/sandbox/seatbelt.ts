import { homedir } from "node:os";
import { isWithin, realPlaceOf } from "../../store/files/folders.ts";
import { layoutOf } from "./layout.ts";
import { type CommandOrder, innerEnvironment, innerScript, type Sandbox } from "./sandbox.ts";

/**
 * macOS. There are no namespaces: processes that leave their group outlive the command, and a masked file is refused
 * and not empty.
 */
export const seatbelt: Sandbox = {
  name: "seatbelt",
  invoke: (order) => ({
    program: "/usr/bin/sandbox-exec",
    args: [
      "-p",
      profile(order),
      "sh",
      "-c",
      innerScript(order.policy, { countsOwnProcesses: false, keepsErrors: order.keepsErrors }),
      "sh",
      order.command,
    ],
    env: innerEnvironment(layoutOf(order).path, homedir(), order.policy),
    cwd: order.workdir,
  }),
};

const SYSTEM = ["/usr", "/bin", "/sbin", "/System", "/Library", "/private/etc/ssl", "/private/var/db", "/dev"];

/** Later rules win. */
function profile(order: CommandOrder): string {
  const { workdir, policy, protectedPaths } = order;
  const { binds, masked } = layoutOf(order);
  const readable = [...SYSTEM, ...binds.map(({ path, from = path }) => from)];
  const shownAgain = policy.readable.filter((path) => policy.hidden.some((hidden) => isWithin(path, hidden)));
  const writable = [workdir, ...policy.writable, "/private/tmp", "/private/var/folders"];
  return [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    "(allow process-exec process-fork sysctl-read)",
    "(allow signal (target same-sandbox))",
    "(allow file-read-metadata)",
    allow("file-read*", readable),
    allow("file-read* file-write*", [...writable, "/dev/null", "/dev/zero"]),
    ...policy.hidden.map((path) => deny("file-read* file-write*", [path])),
    ...shownAgain.map((path) => allow("file-read*", [path])),
    allow("file-read* file-write*", [workdir]),
    ...protectedPaths.map((path) => deny("file-write*", [path])),
    ...masked.map(({ path }) => deny("file-read* file-write*", [path])),
    policy.network ? "(allow network*)" : "(deny network*)",
  ].join("\n");
}

const rule = (verb: string, what: string, paths: readonly string[]): string =>
  `(${verb} ${what} ${paths.map((path) => `(subpath ${JSON.stringify(realPlaceOf(path))})`).join(" ")})`;
const allow = (what: string, paths: readonly string[]): string => rule("allow", what, paths);
const deny = (what: string, paths: readonly string[]): string => rule("deny", what, paths);
