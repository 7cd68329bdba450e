import type { Redactor } from "../../store/secrets/redaction.ts";
import type { Tool } from "../tool.ts";
import { secretIn } from "../web/outgoing-text.ts";
import { MinuteRate } from "../web/request-rate.ts";

const OUTGOING = ["web_fetch", "web_search"];
/** Calls of one run, of both together. */
const MOST_A_MINUTE = 60;

/**
 * The tools of one run. Those that send words of the agent to the web refuse to send a secret, and more than so many calls a
 * minute. Both are decided before anything is resolved or connected to.
 */
export function outgoingTools(tools: readonly Tool[], redactor: Pick<Redactor, "known">, now: () => number): Tool[] {
  const rate = new MinuteRate(MOST_A_MINUTE, now);
  const refused = (reason: string) => ({ output: `Nothing was sent: ${reason}.`, failed: true });
  const guarded = (tool: Tool): Tool => ({
    ...tool,
    run: async (input, use) => {
      const secret = textsIn(input).reduce<string | undefined>(
        (mark, text) => mark ?? secretIn(text, redactor),
        undefined,
      );
      if (secret !== undefined)
        return refused(
          `the call contains a secret or its placeholder (${secret}), and secrets must not leave this machine`,
        );
      const seconds = rate.take();
      if (seconds !== undefined)
        return refused(`this run made ${MOST_A_MINUTE} web requests within a minute; continue in ${seconds} seconds`);
      return tool.run(input, use);
    },
  });
  return tools.map((tool) => (OUTGOING.includes(tool.spec.name) ? guarded(tool) : tool));
}

function textsIn(input: string): string[] {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== "object" || value === null) return [input];
    return Object.values(value).filter((text) => typeof text === "string");
  } catch {
    return [input];
  }
}
