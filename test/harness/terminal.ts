import { spawn, spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { environment } from "./guildhall.ts";

/** Whether this machine can lend a terminal: util-linux's script(1), as every Linux has it. */
export const hasTerminal =
  process.platform === "linux" && spawnSync("script", ["-qec", "true", "/dev/null"], { stdio: "ignore" }).status === 0;

export interface Session {
  /** All that was shown so far, escape sequences included. */
  shown(): string;
  type(keys: string): void;
  /** The exit code of the command. */
  ended: Promise<number | null>;
}

export const CTRL_C = "\u0003";

/** Runs a line of shell in a terminal of this many columns, where `guildhall` is the command. */
export function inTerminal(line: string, columns: number, env: Record<string, string>): Session {
  const child = spawn("script", ["-qec", `stty -echo cols ${columns} rows 50; ${line}`, "/dev/null"], {
    env: { ...environment(), TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  child.stdin.on("error", () => undefined);
  return {
    shown: () => shown,
    type: (keys) => void child.stdin.write(keys),
    ended: new Promise((resolve) => {
      child.once("close", resolve);
    }),
  };
}
