import { basename } from "node:path/posix";
import type { GateReason } from "../../contract/documents/quality/gate.ts";
import { isDocument, isDocumentByPlace } from "../checks/document-paths.ts";
import { isCodeFile } from "../proof/languages.ts";
import type { TreeChange } from "../trees/tree-source.ts";
import type { GateOrder } from "./gate-order.ts";

/** Names that are looked for in the code. */
const MOST_NAMES = 50;

const ONLY_DOCUMENTS: GateReason = { code: "not-code", text: "Only documents changed; nothing to judge." };

/**
 * Why a change without a task need not be judged: it consists of documents, which no check looks at and no code names. Undefined
 * where it has to be judged.
 */
export async function onlyDocuments(
  order: Pick<GateOrder, "task" | "run" | "settings" | "ground" | "span">,
  changes: readonly TreeChange[],
): Promise<GateReason | undefined> {
  const { task, run, settings, ground, span } = order;
  const { commands, testScope, spec, rolloutSafety } = settings;
  // Who has a command run for every change, or asks for more than checks, wants it for this one too.
  const isAsked = commands.syntax ?? commands.tests ?? commands.affected;
  if (task !== undefined || run !== undefined || isAsked !== undefined || testScope === "full" || rolloutSafety)
    return undefined;
  const paths = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const ofSpec = spec === undefined ? undefined : ground.prefix === "" ? spec : `${ground.prefix}/${spec}`;
  const isAll = paths.every((path) => isDocument(path) && path !== ofSpec && !ground.checks.isCheckSetting(path));
  if (!isAll) return undefined;
  const unsure = [...new Set(paths.filter((path) => !isDocumentByPlace(path)).map((path) => basename(path)))];
  if (unsure.length > MOST_NAMES || unsure.some((name) => !name.isWellFormed())) return undefined;
  if (unsure.length === 0) return ONLY_DOCUMENTS;
  const mentions = await ground.trees.search(span.tree, unsure.map(literally).join("|"));
  return mentions.some(({ path }) => isCodeFile(path)) ? undefined : ONLY_DOCUMENTS;
}

function literally(name: string): string {
  return name.replaceAll(/[.[\](){}*+?^$|\\]/g, "\\$&");
}
