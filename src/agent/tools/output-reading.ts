import type { Tool } from "../tool.ts";
import { plainOutput } from "./command-output.ts";

const PREFIX = "output:";
const NAME = /^[\w-]{1,120}$/;

/** The name by which an agent reads the whole output of a call. */
export function outputName(callId: string): string {
  return `${PREFIX}${fileStem(callId)}`;
}

/** Providers choose the ids of calls, and they become the names of files. */
export function fileStem(callId: string): string {
  return callId.replace(/[^\w-]/g, "_").slice(0, 120) || "call";
}

/** The tool `read`, which also reads what commands said. `pathOf` tells where `kept` has the output of this name. */
export function readingOutputs(read: Tool, kept: Tool, pathOf: (stem: string) => string): Tool {
  return {
    ...read,
    run: async (input, use) => {
      const given = namedOutput(input);
      if (given === undefined) return read.run(input, use);
      const { stem, rest } = given;
      if (!NAME.test(stem)) return { output: `There is no output '${PREFIX}${stem}'.`, failed: true };
      const told = await kept.run(JSON.stringify({ ...rest, path: pathOf(stem) }), use);
      if (told.failed === true)
        return {
          output: `The output '${PREFIX}${stem}' can't be read: it is missing or binary.`,
          failed: true,
        };
      return { ...told, output: plainOutput(told.output) };
    },
  };
}

function namedOutput(input: string): { stem: string; rest: object } | undefined {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== "object" || value === null || !("path" in value)) return undefined;
    const { path, ...rest } = value;
    return typeof path === "string" && path.startsWith(PREFIX) ? { stem: path.slice(PREFIX.length), rest } : undefined;
  } catch {
    return undefined;
  }
}
