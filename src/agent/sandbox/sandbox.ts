import type { RunSandbox, SandboxName } from "../../contract/documents/sandbox.ts";
import { programPath } from "../../store/host/host-places.ts";

/** What a command is run with and kept in. Paths are absolute. */
export interface CommandOrder {
  command: string;
  /** Writable; everything else of the machine is as the policy says. */
  workdir: string;
  policy: RunSandbox;
  /** Found empty. */
  masked: readonly Masked[];
  /** In folders that can be written: found as they are, and not writable. */
  protectedPaths: readonly string[];
  /** The only places in the working folder that can be written; unless given, all of it can. */
  openPaths?: readonly string[] | undefined;
  /** Folders and files from elsewhere that are seen at other paths, and not writable. Not every sandbox can show them. */
  lent: readonly Lent[];
  /** The command is the hall's own, and agents do not work in the folder. */
  isOwn?: true;
  /** The command's stderr comes by descriptor 2, after the sandbox's own words, and not with its stdout. */
  keepsErrors?: true;
  /** The command is fixed and reads no files of the person's: toolchains are shown without a search for secrets in them. */
  skipsSearch?: true;
}

export interface Lent {
  path: string;
  from: string;
  /** A folder unless given. A file covers whatever file is at the path. */
  kind?: "folder" | "file";
}

export interface Masked {
  path: string;
  kind: "folder" | "file";
}

/** A program to start such that the command runs in the sandbox. */
export interface Invocation {
  program: string;
  args: string[];
  env: Record<string, string>;
  /** Where the program is started. */
  cwd: string;
  /** What it reads from descriptor 4. */
  input?: Buffer | undefined;
}

/**
 * A way to run commands. The invocation must write one byte to descriptor 3 when the sandbox stands, right before the
 * command, whose both outputs come by descriptor 1 unless the order keeps them apart. Killing its process group must end everything the command started.
 */
export interface Sandbox {
  readonly name: SandboxName;
  invoke(order: CommandOrder): Invocation;
  /** Why commands can make every system call. Undefined when a filter holds them; the probe sees whether that is so. */
  whyUnfiltered?(): string | undefined;
}

/** Where the sandbox's own programs are looked for, which run outside it. */
export function programPathFor({ workdir, policy, isOwn }: CommandOrder): string {
  return programPath([...(isOwn === true ? [] : [workdir]), ...policy.writable, ...policy.hidden]);
}

/** The largest file a command may write. */
const FILE_MB = 2_048;

/** Runtimes such as Node reserve room for data that they never use; the kernel counts it all the same. */
const RESERVE_MB = 1_024;

interface InnerSetup {
  countsOwnProcesses: boolean;
  /** What the list of mounts must say. */
  mounts?: readonly string[];
  keepsErrors?: true | undefined;
}

/** Nothing is run where the list of mounts says anything else. */
function mountChecks(expected: readonly string[]): string[] {
  if (expected.length === 0) return [];
  const refused = "echo 'the working folder changed in the meantime' >&2; exit 1";
  return [
    "mounts=$(command -p cat /proc/self/mountinfo)",
    ...expected.map((part) => `case $mounts in *${quoted(part)}*) ;; *) ${refused} ;; esac`),
    "unset mounts",
  ];
}

/** As one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The last step inside every sandbox: limits, the sign that it stands, then the command as `$1`. */
export function innerScript({ memoryMb, processes }: RunSandbox, how: InnerSetup): string {
  return [
    ...mountChecks(how.mounts ?? []),
    `ulimit -c 0; ulimit -f ${FILE_MB * 2_048}`,
    `ulimit -d ${(memoryMb + RESERVE_MB) * 1_024} 2>/dev/null || :`,
    ...(how.countsOwnProcesses
      ? [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null || :`]
      : []),
    "printf r >&3",
    // A second shell for the command alone would cost as much as all of this.
    how.keepsErrors === true ? "exec 3>&-" : "exec 2>&1 3>&-",
    'eval "$1"',
  ].join("\n");
}

/** Inside, nobody's settings and keys: what programs need to run, and no more. */
export function innerEnvironment(path: string, home: string, { env = {} }: RunSandbox): Record<string, string> {
  const kept = ["LANG", "LC_ALL", "TZ"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const fixed = { PATH: path, HOME: home, TMPDIR: "/tmp", TERM: "dumb", USER: "agent", LOGNAME: "agent", CI: "1" };
  return { ...Object.fromEntries(kept), ...env, ...fixed };
}
