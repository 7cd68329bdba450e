import type { Config } from "../../contract/documents/config.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Models } from "../../models/open-models.ts";
import { CONFIG_FILE } from "../../workspace/config-file.ts";

/** That the model given to the main agent cannot be asked would show only when somebody speaks with it. */
export function mainModelProblems({ main: { model } }: Config, whyNot: Models["whyNot"]): Problem[] {
  const because = model === undefined ? undefined : whyNot(model);
  if (because === undefined) return [];
  const reason = `the main agent's model ${model} cannot be used. ${because}`;
  return [{ file: CONFIG_FILE, kind: "config", severity: "warning", reason }];
}
