import { parseDocument } from "yaml";
import {
  REPOSITORY_SETTINGS,
  type RepositoryGates,
  RepositorySettings,
} from "../../contract/documents/quality/repository-gates.ts";
import { HallError } from "../../contract/errors.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import { describeIssue } from "../../workspace/hall/issues.ts";
import type { Ground } from "./ground.ts";

const LARGEST = 64 * 1024;

/**
 * What a repository says itself about how its changes are checked, as the base has it: a change can't choose its own checks. Refuses
 * what can't be read, since nobody knows what it should have checked.
 */
export async function repositoryGates(
  { trees, prefix }: Pick<Ground, "trees" | "prefix">,
  base: string,
): Promise<RepositoryGates | undefined> {
  const path = prefix === "" ? REPOSITORY_SETTINGS : `${prefix}/${REPOSITORY_SETTINGS}`;
  const content = await trees.read(base, path);
  return content === undefined ? undefined : gatesIn(content, path);
}

export function gatesIn(content: Buffer, path: string): RepositoryGates | undefined {
  const refuse = (reason: string) =>
    new HallError("gate_refused", `${path}: ${reason}. Gates use the file as it was before the change.`);
  if (content.length > LARGEST) throw refuse("it is larger than 64 kB");
  const document = parseDocument(content.toString("utf8"), { uniqueKeys: true, strict: true });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined) throw refuse(`line ${fault.linePos?.[0].line ?? 1} is not valid YAML`);
  const parsed = RepositorySettings.safeParse(document.toJS({ maxAliasCount: 10 }) ?? {}, { error: plainWords });
  if (!parsed.success) throw refuse(describeIssue(parsed.error).reason);
  return parsed.data.qualityGates;
}
