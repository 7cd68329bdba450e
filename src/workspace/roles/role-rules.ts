import {
  ModelConfig,
  RoleCreate,
  type RoleTemplate,
  type RoleUpdate,
  StoredRole,
} from "../../contract/documents/role.ts";
import { HallError } from "../../contract/errors.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import { describeIssue } from "../hall/issues.ts";
import { slugOf } from "../projects/project-rules.ts";
import { dropUndefined } from "../tasks/task-file.ts";
import { ROLE_TEMPLATES } from "./role-templates.ts";

export function templateOf(id: string): RoleTemplate["baseRole"] {
  const found = ROLE_TEMPLATES.find((template) => template.id === id);
  if (found !== undefined) return found.baseRole;
  throw new HallError(
    "template_not_found",
    `There is no template '${id}'. The templates are: ${ROLE_TEMPLATES.map((template) => template.id).join(", ")}.`,
  );
}

export function newRole(
  body: RoleCreate,
  from: { id: string; base: RoleTemplate["baseRole"] | undefined; at: string; request: string | undefined },
): StoredRole {
  const { template, ...fields } = body;
  const merged = {
    ...from.base,
    ...dropUndefined(fields),
    modelConfig: { ...from.base?.modelConfig, ...dropUndefined(body.modelConfig ?? {}) },
  };
  // A template of one's own asks for the variables it uses, unless they are named.
  const variables =
    body.variables ??
    (body.systemPromptTemplate === undefined ? from.base?.variables : variablesOf(body.systemPromptTemplate));
  const { id, at, request } = from;
  const role = { ...merged, variables: variables ?? [], id, createdAt: at, updatedAt: at, version: 1, request };
  const parsed = StoredRole.safeParse(dropUndefined(role), { error: plainWords });
  if (parsed.success) return parsed.data;
  throw new HallError("invalid", `${describeIssue(parsed.error, role).reason}.`);
}

/** An id for a name; undefined when none can be made of it, or only one that is reserved. */
export function roleIdFrom(name: string): string | undefined {
  return RoleCreate.shape.id.safeParse(slugOf(name)).data;
}

/** The role after a change, with another version unless nothing changed. Only what is named changes. */
export function changedRole(before: StoredRole, body: RoleUpdate, at: string): StoredRole | undefined {
  const { request, ...kept } = before;
  const modelConfig = mergeModelConfig(before.modelConfig, body.modelConfig);
  const after = StoredRole.parse({ ...kept, ...dropUndefined(body), modelConfig, id: before.id });
  if (JSON.stringify(after) === JSON.stringify(kept)) return undefined;
  return { ...after, updatedAt: at, version: before.version + 1 };
}

/** Null takes an optional setting away. */
function mergeModelConfig(config: ModelConfig, change: RoleUpdate["modelConfig"]): ModelConfig {
  const merged = Object.entries({ ...config, ...dropUndefined(change ?? {}) });
  return ModelConfig.parse(Object.fromEntries(merged.filter(([, value]) => value !== null)));
}

function variablesOf(prompt: string): string[] {
  return [...new Set([...prompt.matchAll(/\{\{([A-Za-z][A-Za-z0-9_]{0,63})\}\}/g)].map((match) => match[1] ?? ""))];
}
