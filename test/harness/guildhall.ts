import { spawn } from "node:child_process";
import { join } from "node:path";

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the `guildhall` command as a person would and waits for its end. */
export function guildhall(args: string[], options: { workspace?: string; input?: string; env?: Record<string, string> } = {}): Promise<Outcome> {
  const env = { ...process.env, ...(options.workspace === undefined ? {} : { GUILDHALL_WORKSPACE: options.workspace }), ...options.env };
  const child = spawn(join(import.meta.dirname, "../../bin/guildhall"), args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const outcome: Outcome = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    outcome.stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    outcome.stderr += String(chunk);
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ ...outcome, code }));
  });
}
