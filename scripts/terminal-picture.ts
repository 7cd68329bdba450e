import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./source-files.ts";
import { terminalSvg } from "./terminal-svg.ts";

/**
 * Makes docs/images/session.svg from commands that are really run, on a daemon and a workspace of their own.
 * Needs `script` of util-linux, which gives the commands a terminal: without one they print no colour.
 */
const PICTURE = "docs/images/session.svg";
const TERMINAL = "/usr/bin/script";
const COLUMNS = 84;

const BEFORE = [
  "guildhall role create --template coder --id backend --name 'Backend developer'",
  "guildhall project create Shop --goal 'Sell books' --language TypeScript",
  "guildhall role assign backend -p shop",
  "guildhall task add 'Store orders' -p shop -t feature --priority high --role backend --criterion 'An order survives a restart'",
  "guildhall task add 'Pay by card' -p shop -t feature --role backend --blocked-by 1",
  "guildhall task add 'Fix the login page' -p shop -t bug --priority urgent --label web",
  "guildhall task move shop/1 in-progress",
];
const SHOWN = [
  "guildhall status",
  "guildhall task list -p shop",
  "guildhall task move shop/3 done",
  "head -n 8 projects/shop/TASKS/in-progress/TASK-001.md",
];

const workspace = join(tmpdir(), "hall");
const env = {
  ...process.env,
  PATH: [join(root, "bin"), process.env.PATH].join(delimiter),
  GUILDHALL_WORKSPACE: workspace,
  TERM: "xterm-256color",
};

if (existsSync(workspace)) throw new Error(`${workspace} is already there; move it away first.`);
const daemon = spawn(join(root, "bin/guildhall"), ["up", "--port", "0", "--no-open"], {
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(daemon, "exit");
try {
  await isUp(daemon);
  for (const command of BEFORE) execFileSync("sh", ["-c", command], { env, stdio: "ignore" });
  const lines = SHOWN.flatMap((command, place) => [
    ...(place === 0 ? [] : [""]),
    `\u001b[2m$\u001b[22m ${command}`,
    ...onTerminal(command),
  ]);
  const title = `A terminal session: ${SHOWN.join("; ")}`;
  writeFileSync(join(root, PICTURE), terminalSvg(lines, { title, columns: COLUMNS }));
  console.log(`Drew ${PICTURE}: ${lines.length} lines.`);
} finally {
  daemon.kill("SIGTERM");
  await ended;
  rmSync(workspace, { recursive: true, force: true });
}

async function isUp(child: ChildProcess): Promise<void> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) if (line.startsWith("Guildhall is up at ")) return;
  throw new Error("The daemon ended before it was up.");
}

/** What the command prints on a terminal, line by line. A command that is refused prints too. */
function onTerminal(command: string): string[] {
  const args = ["-qc", `stty cols ${COLUMNS}; ${command}`, "/dev/null"];
  return execFileSync(TERMINAL, args, { env, cwd: workspace, encoding: "utf8" }).trimEnd().split(/\r?\n/);
}
