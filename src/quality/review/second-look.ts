import { z } from "zod";
import { jsonSchemaOf } from "../../agent/tool.ts";
import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { TreeSource } from "../trees/tree-source.ts";
import type { ModelTalks, Question } from "./model-talk.ts";
import { asked, SECOND_SYSTEM, secondLookPart } from "./prompts.ts";
import type { Reading } from "./readings.ts";
import { numbered, treeTools } from "./tree-tools.ts";

const MOST_AT_ONCE = 20;
const AROUND = 15;
const LONGEST_REASON = 2_000;

const Verdict = z.strictObject({
  id: z.string(),
  verdict: z.enum(["stands", "refuted"]),
  reason: z.string().describe("What in the code shows it."),
});
const Refuted = z.strictObject({ findings: z.array(Verdict) });

const REFUTE = "refute";
const TOOL = {
  name: REFUTE,
  description: "Say of each finding whether it stands. Call it once, with all of them.",
  inputSchema: jsonSchemaOf(Refuted),
};

/** What was decided about a finding; one that nothing readable was said about has no entry. */
export type Verdicts = Map<string, { verdict: "stands" | "refuted"; reason: string }>;

/** Reads whatever a model sent. A refutation without a reason is none. */
export function readVerdicts(value: unknown, ids: readonly string[]): Verdicts {
  const verdicts: Verdicts = new Map();
  const list = typeof value === "object" && value !== null && "findings" in value ? value.findings : undefined;
  for (const entry of Array.isArray(list) ? list.slice(0, 1_000) : []) {
    const read = Verdict.safeParse(entry).data;
    if (read === undefined || !ids.includes(read.id) || read.reason.trim() === "") continue;
    // Said in two ways, it is not said at all.
    const known = verdicts.get(read.id);
    const verdict = known !== undefined && known.verdict !== read.verdict ? "stands" : read.verdict;
    verdicts.set(read.id, { verdict, reason: cutText(read.reason.trim(), LONGEST_REASON) });
  }
  return verdicts;
}

export interface SecondLook {
  trees: Pick<TreeSource, "read" | "paths">;
  tree: string;
  base: string;
  task: { title: string; description: string };
  caller: Pick<Question, "projectId" | "runId" | "model" | "signal">;
}

/** Another reader's view of findings, as few calls as will do. */
export async function lookAgain(
  talks: Pick<ModelTalks, "ask">,
  look: SecondLook,
  findings: readonly { finding: GateFinding; disputed?: string }[],
): Promise<{ verdicts: Verdicts; readings: Reading[] }> {
  const verdicts: Verdicts = new Map();
  const readings: Reading[] = [];
  for (let at = 0; at < findings.length; at += MOST_AT_ONCE) {
    const some = findings.slice(at, at + MOST_AT_ONCE);
    const ids = some.map(({ finding }) => finding.id);
    const shown = await Promise.all(some.map(async (one) => ({ ...one, context: await contextOf(one.finding, look) })));
    const reading = await talks.ask({
      ...look.caller,
      system: SECOND_SYSTEM,
      prompt: asked(look.task, secondLookPart(shown)),
      tool: TOOL,
      problemsIn: (value) => ids.filter((id) => !readVerdicts(value, ids).has(id)).map((id) => `${id} has no verdict`),
      tree: look.tree,
      readers: treeTools(look.trees, look.tree),
    });
    readings.push(reading);
    for (const value of reading.values) for (const [id, verdict] of readVerdicts(value, ids)) verdicts.set(id, verdict);
  }
  return { verdicts, readings };
}

/** The lines around a finding's place; of a deleted file as it was. */
async function contextOf({ file, line = 1 }: GateFinding, { trees, tree, base }: SecondLook): Promise<string> {
  if (file === undefined) return "";
  const content = (await trees.read(tree, file)) ?? (await trees.read(base, file));
  if (content === undefined || content.includes(0)) return "";
  const from = Math.max(1, line - AROUND);
  return numbered(content.toString("utf8").split("\n"), from, 2 * AROUND + 1);
}
