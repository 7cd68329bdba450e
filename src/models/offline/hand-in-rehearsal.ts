import type { ModelRequest } from "../../contract/runs/model-call.ts";
import { SUBMIT_TOOLS } from "../../contract/words/tool-names.ts";
import { promptOf, titleIn } from "./task-prompt.ts";

const UNJUDGED = "The offline model can't judge this.";

/** Of a team's run: what it submits in a rehearsal, as small as it can be. Undefined: it has nothing to submit. */
export function rehearseHandIn({
  tools,
  messages,
}: ModelRequest): { tool: string; input: Record<string, unknown> } | undefined {
  const prompt = promptOf(messages);
  const title = titleIn(prompt);
  const inputs: Partial<Record<string, () => Record<string, unknown>>> = {
    [SUBMIT_TOOLS.spec]: () => specOf(title),
    [SUBMIT_TOOLS.plan]: () => planOf(title, prompt),
    [SUBMIT_TOOLS.report]: () => ({ summary: `The offline model rehearsed "${title}". It can't say what was done.` }),
    [SUBMIT_TOOLS.check]: () => ({
      results: criteriaIn(prompt).map((id) => ({ id, met: false, evidence: UNJUDGED })),
    }),
    [SUBMIT_TOOLS["spec-change"]]: () => ({ reason: UNJUDGED }),
  };
  for (const { name } of tools) {
    const input = inputs[name]?.();
    if (input !== undefined) return { tool: name, input };
  }
  return undefined;
}

function specOf(title: string): Record<string, unknown> {
  return {
    title,
    goals: [title],
    requirements: [
      {
        id: "REQ-001",
        text: title,
        acceptance: [{ text: `A person finds that this is done: ${title}`, check: "look" }],
      },
    ],
    risks: ["The offline model wrote this spec from the title alone, and will change nothing."],
    ...{ current: UNJUDGED, expected: title, unchanged: UNJUDGED },
  };
}

function planOf(title: string, prompt: string): Record<string, unknown> {
  const requirements = [...new Set(prompt.match(/\bREQ-\d{3,4}\b/g))];
  const description = "The offline model planned this as one task: it looks around and changes nothing.";
  return { tasks: [{ key: "rehearsal", title, description, requirements, criteria: criteriaIn(prompt), files: [] }] };
}

function criteriaIn(prompt: string): string[] {
  return [...new Set(prompt.match(/\bREQ-\d{3,4}\.\d+\b/g))];
}
