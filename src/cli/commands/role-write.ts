import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/hint.ts";
import type { RoleCreate, RoleUpdate } from "../../contract/role.ts";
import type { Action, Context } from "../context.ts";
import { fileOrInput, given, objectOrInput, requireChange, textOrInput } from "../input.ts";
import { type ModelInput, modelOverride } from "../model-override.ts";
import { oneLine } from "../plain-text.ts";

type RoleBody = Omit<RoleCreate, "id" | "template">;

interface RoleFields extends ModelInput {
  name?: string | undefined;
  emoji?: string | undefined;
  description?: string | undefined;
  specialty?: string[] | undefined;
  skills?: string[] | undefined;
  promptFile?: string | undefined;
  variables?: string[] | undefined;
  file?: string | undefined;
}

export const roleCreate: Action<"role create"> = async ({ template, id, ...fields }, context) => {
  const body: RoleCreate = { ...(await roleBody(fields, context)), ...defined({ template, id }) };
  if (Object.keys(body).length === 0) {
    throw new HallError("usage", "What role?", {
      hint: hint("role-create-help"),
    });
  }
  const answer = await context.call("createRole", { body });
  const { role } = answer;
  context.output.answer(answer, () => `Created the role ${role.id}: ${oneLine(`${role.emoji} ${role.name}`)}`);
  return 0;
};

export const roleEdit: Action<"role edit"> = async ({ role: id, ifMatch, ...fields }, context) => {
  const body: RoleUpdate = await roleBody(fields, context);
  requireChange(body, "role edit");
  const answer = await context.call("updateRole", { params: { id }, body, ifMatch });
  context.output.answer(
    answer,
    () => `Changed the role ${answer.role.id}; it is at version ${answer.role.version} now.`,
  );
  return 0;
};

export const roleDelete: Action<"role delete"> = async ({ role: id }, { call, output }) => {
  const answer = await call("deleteRole", { params: { id } });
  output.answer(answer, () => `Deleted the role ${id}.`);
  return 0;
};

/** The file's role with the options laid over it. What the file holds is for the daemon to judge. */
async function roleBody(fields: RoleFields, { host }: Context): Promise<RoleBody> {
  const { name, emoji, description, specialty, skills, variables, promptFile, file } = fields;
  const base: RoleBody = file === undefined ? {} : await objectOrInput(file, host);
  const override = given(modelOverride(fields));
  return {
    ...base,
    ...defined({
      name,
      emoji,
      description: await textOrInput(description, host),
      specialty,
      skills,
      variables,
      systemPromptTemplate: promptFile === undefined ? undefined : await fileOrInput(promptFile, host),
      modelConfig: override === undefined ? undefined : { ...base.modelConfig, ...defined(override) },
    }),
  };
}

function defined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<Value>;
}
