import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";
import type { ToolOutcome } from "../../src/agent/tool.ts";
import { execTool } from "../../src/agent/tools/exec-tool.ts";
import type { RunSandbox } from "../../src/contract/documents/sandbox.ts";
import type { DiskRoom } from "../../src/store/host/disk-room.ts";
import { Redactor } from "../../src/store/secrets/redaction.ts";
import { temporaryFolder } from "./daemon.ts";

export interface CommandFolder {
  /** The folder around everything, with `work`, where commands run, and `outside`. */
  above: string;
  at(path: string): string;
  /** What those who watch were told so far. */
  told(): string;
  /** What the tool answers. */
  run(command: string, more?: { timeoutSeconds?: number; signal?: AbortSignal }): Promise<ToolOutcome>;
  /** The output of a command, without the line about its outcome. */
  said(command: string): Promise<string>;
}

interface CommandSetup {
  workdir?: string;
  checkout?: string;
  /** Values that must not be shown. */
  secrets?: string[];
  roomAt?: (path: string) => DiskRoom | undefined;
}

/** A working folder with these files beside a folder with a secret, and the tool that runs commands in it. */
export function commandFolder(
  sandbox: Sandbox,
  files: Record<string, string> = {},
  { workdir, checkout, secrets = [], roomAt, ...policy }: Partial<RunSandbox> & CommandSetup = {},
): CommandFolder {
  const told: string[] = [];
  const above = temporaryFolder();
  const work = workdir ?? join(above, "workspace/projects/shop");
  const write = (path: string, content: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  mkdirSync(work, { recursive: true });
  write(join(above, "workspace/.guildhall/token"), "canary\n");
  write(join(above, "workspace/projects/other/secret.md"), "canary\n");
  write(join(above, "outside/secret.md"), "canary\n");
  for (const [path, content] of Object.entries(files)) write(join(work, path), content);
  let calls = 0;
  const tool = execTool({
    sandbox,
    policy: {
      name: sandbox.name,
      network: false,
      readable: [],
      writable: [],
      memoryMb: 4_096,
      processes: 128,
      envFiles: [],
      hidden: [join(above, "workspace")],
      ...policy,
    },
    workdir: work,
    checkout,
    keepAt: (callId) => ({ path: join(above, "outputs", callId), name: `output:${callId}` }),
    timeLeft: () => 60_000,
    redactor: new Redactor(secrets.map((value) => ({ name: "CANARY", value }))),
    onOutput: (_, text) => void told.push(text),
    ...(roomAt === undefined ? {} : { roomAt }),
  });
  const run: CommandFolder["run"] = (command, { signal = new AbortController().signal, ...more } = {}) =>
    tool.run(JSON.stringify({ command, ...more }), { callId: `call-${++calls}`, signal });
  return {
    above,
    at: (path) => join(work, path),
    told: () => told.join(""),
    run,
    said: async (command) => (await run(command)).output.split("\n").slice(1).join("\n"),
  };
}
