import type { ToolOutcome } from "../../src/agent/tool.ts";
import { type WebToolsOptions, webFetchTool } from "../../src/agent/tools/web-tools.ts";

interface Setup extends Partial<Omit<WebToolsOptions, "rules">> {
  allow?: string[];
  ports?: number[];
}

/** The tool web_fetch, allowed to reach what the test serves. */
export function webFetch({ allow = [], ports = [80, 443], ...more }: Setup = {}) {
  const tool = webFetchTool({ rules: { userAgent: "Guildhall/test", ports, allow }, nextMark: () => "mark", ...more });
  const call = (url: string, offset = 0, signal = new AbortController().signal): Promise<ToolOutcome> =>
    tool.run(JSON.stringify({ url, offset }), { callId: "call-1", signal });
  return {
    tool,
    call,
    /** What stands between the marks, below address and title. */
    text: async (url: string, offset = 0) => {
      const { output, failed } = await call(url, offset);
      if (failed) throw new Error(output);
      return /<<<untrusted mark\nurl: .*\n(?:title: .*\n)?\n([\s\S]*)\n>>>untrusted mark$/.exec(output)?.[1];
    },
    refused: async (url: string) => {
      const { output, failed } = await call(url);
      if (!failed) throw new Error(`fetched: ${output}`);
      return output;
    },
  };
}
