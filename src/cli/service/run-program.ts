import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

export interface ProgramEnd {
  ok: boolean;
  stdout: string;
  /** The last line it wrote about its failure. */
  problem: string;
}

/** Runs a program to its end, at most half a minute. Never rejects. */
export function runProgram(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    execFile(program, words, { env, timeout: 30_000 }, (error, stdout, stderr) => {
      const said = stderr.trim().split("\n").at(-1) ?? "";
      resolve({ ok: error === null, stdout, problem: said === "" ? (error?.message ?? "") : said });
    });
  });
}

export function isOnPath(program: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return isAbsolute(folder);
    } catch {
      return false;
    }
  });
}
