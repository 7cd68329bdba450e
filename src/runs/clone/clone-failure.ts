import type { Clone, CloneFailureCode } from "../../contract/documents/clone.ts";
import { firstLine } from "../../contract/runs/run-line.ts";
import { type GitEnd, NO_PROGRAM } from "./git-process.ts";

/** Git and ssh say what went wrong in words alone; in the C locale these do not change. The first that fits counts. */
const WORDS: readonly (readonly [CloneFailureCode, RegExp])[] = [
  ["disk", /No space left on device|Disk quota exceeded/],
  ["host_key", /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/],
  ["certificate", /certificate|SSL_ERROR|TLS connect error/i],
  [
    "network",
    /Could not resolve host|Name or service not known|Temporary failure in name resolution|Connection (?:refused|timed out|reset)|Network is unreachable|No route to host|Failed to connect|Couldn't connect|Operation too slow|Could not connect/i,
  ],
  [
    "auth",
    /Authentication failed|could not read (?:Username|Password)|Permission denied|terminal prompts disabled|returned error: 40[13]|HTTP 40[13]/i,
  ],
  [
    "not_found",
    /not found|returned error: 404|does not appear to be a git repository|does not exist|not a git repository/i,
  ],
];

const TEXTS: Record<CloneFailureCode, readonly [message: string, hint: string]> = {
  auth: [
    "The server refused access.",
    "Check that you can clone it in a terminal: Guildhall uses your git credential helper and SSH agent. For a private HTTPS repository, add a token: https://TOKEN@host/path.",
  ],
  not_found: [
    "There is no repository at this address, or your account cannot see it.",
    "Check the address. For a private repository, check your access.",
  ],
  network: ["The server cannot be reached.", "Check the address and your network connection, then retry."],
  certificate: [
    "The server's certificate is not trusted.",
    "Install its certificate authority on this machine, or use the SSH address.",
  ],
  host_key: [
    "The server's SSH host key is unknown or has changed.",
    "Connect once in a terminal with ssh and confirm the key, then retry.",
  ],
  folder: ["The folder cannot be used.", "Choose a folder that is missing or empty, and that you can write to."],
  disk: ["The disk is full.", "Free some space, then retry. Nothing was left behind."],
  git: ["Git could not clone the repository.", "Try it in a terminal: git clone ADDRESS."],
};

type Failure = NonNullable<Clone["failure"]>;

export function cloneFailure(code: CloneFailureCode, detail = ""): Failure {
  const [message, hint] = TEXTS[code];
  return { code, message: detail === "" ? message : `${message} ${detail}`, hint };
}

/** `secret` never shows in what is told. */
export function failureOf({ code, trouble }: GitEnd, secret: string | undefined): Failure {
  if (code === NO_PROGRAM)
    return { code: "git", message: "Git is not installed.", hint: "Install git 2.38 or newer, then retry." };
  const known = WORDS.find(([, words]) => words.test(trouble))?.[0];
  if (known !== undefined) return cloneFailure(known);
  const fatal = trouble.split("\n").find((line) => /^(?:fatal|error): /.test(line)) ?? "";
  const plain = secret ? fatal.replaceAll(secret, "[redacted]") : fatal;
  return cloneFailure("git", plain === "" ? "" : `Git says: ${firstLine(plain)}`);
}

const PHASES: readonly (readonly [RegExp, Clone["phase"]])[] = [
  [/^(?:remote: )?(?:Enumerating|Counting|Compressing) objects/, "connecting"],
  [/^Receiving objects/, "receiving"],
  [/^Resolving deltas/, "resolving"],
  [/^Updating files/, "checkout"],
];

/** The progress that a line of git tells, if any. */
export function progressIn(line: string): Pick<Clone, "phase" | "percent"> | undefined {
  const phase = PHASES.find(([words]) => words.test(line))?.[1];
  const percent = /:\s+(\d{1,3})%/.exec(line)?.[1];
  if (phase === undefined || percent === undefined) return undefined;
  return { phase, percent: Math.min(Number(percent), 100) };
}
