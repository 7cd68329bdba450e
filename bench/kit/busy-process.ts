import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Client, connect } from "./client.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/busy-workspace.ts");

export interface BusyProcess {
  url: string;
  pid: number;
  client: Client;
  /** Ends it and removes its folder. */
  end(): Promise<void>;
}

/** The busy hall of `npm run busy` in a process of its own, with so many tasks in its project `archive`, and open questions. */
export async function startBusy(tasks: number, questions = 0): Promise<BusyProcess> {
  const child = spawn(
    process.execPath,
    [SCRIPT, "--tasks", String(tasks), "--days", "13", "--questions", String(questions)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  // A bench that breaks off leaves nothing running.
  const kill = () => child.kill("SIGTERM");
  process.once("exit", kill);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const told = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`the busy hall ended with ${code}: ${text}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      text += `${line}\n`;
      if (line.startsWith("Its workspace")) resolve(text);
    });
  });
  const url = /(http:\/\/[\d.:]+)/.exec(told)?.[1] ?? "";
  const workspace = /Its workspace is (.+)\. Ctrl-C/.exec(told)?.[1] ?? "";
  const client = connect(url, readFileSync(join(workspace, ".guildhall/token"), "utf8").trim(), 8);
  const end = () => {
    client.close();
    process.off("exit", kill);
    kill();
    return gone;
  };
  return { url, pid: child.pid as number, client, end };
}
