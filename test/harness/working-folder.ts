import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ToolOutcome } from "../../src/agent/tool.ts";
import { fileTools } from "../../src/agent/tools/files/file-tools.ts";
import { Files } from "../../src/store/files/files.ts";
import { temporaryFolder } from "./daemon.ts";

export interface WorkingFolder {
  /** Absolute path of something in it. */
  at(path: string): string;
  text(path: string): string;
  write(path: string, content: string | Uint8Array): void;
  /** What a tool answers; an object is sent as JSON. */
  call(tool: string, input: object | string, signal?: AbortSignal): Promise<ToolOutcome>;
  /** The text of an answer that must not be a refusal. */
  told(tool: string, input: object): Promise<string>;
  /** The text of an answer that must be one, and has changed nothing. */
  refused(tool: string, input: object): Promise<string>;
}

/** A person's own folder with these files, and the tools of an agent that works in it. Gone after the test. */
export function workingFolder(
  contents: Record<string, string | Uint8Array> = {},
  now?: () => number,
  root = join(temporaryFolder(), "work"),
): WorkingFolder {
  const tools = fileTools(new Files(root, "kept", "refused"), now);
  const at = (path: string) => join(root, path);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  const call = async (name: string, input: object | string, signal = new AbortController().signal) => {
    const tool = tools.find(({ spec }) => spec.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool.run(typeof input === "string" ? input : JSON.stringify(input), { callId: "call-1", signal });
  };
  for (const [path, content] of Object.entries(contents)) write(path, content);
  return {
    at,
    write,
    call,
    text: (path) => readFileSync(at(path), "utf8"),
    told: async (name, input) => {
      const { output, failed } = await call(name, input);
      if (failed) throw new Error(`${name} refused: ${output}`);
      return output;
    },
    refused: async (name, input) => {
      const { output, failed, files } = await call(name, input);
      if (!failed || files !== undefined) throw new Error(`${name} did it: ${output}`);
      return output;
    },
  };
}
