import { Question } from "../../contract/documents/escalation.ts";
import { defineTool, type Tool, type ToolOutcome, type ToolUse } from "../tool.ts";

/** Asks what an agent may not decide. `tiers`: who decides what. */
export function escalateTool(
  tiers: string,
  ask: (question: Question, use: ToolUse) => Promise<ToolOutcome>,
  { waits }: { waits: boolean } = { waits: false },
): Tool {
  const blocks = waits ? " With blocksTask set to your own task you wait for the answer." : "";
  const description = `Ask for a decision, an answer, an approval or something missing. Check your knowledge first. The answer arrives as a message; keep working meanwhile.${blocks}\n${tiers}`;
  return defineTool({
    name: "escalate",
    description: description.trimEnd(),
    input: Question,
    changes: true,
    repeatable: true,
    run: ask,
  });
}
