import { z } from "zod";
import { Settings } from "../../contract/documents/config.ts";
import type { SettingForm } from "../../contract/routes/settings-routes.ts";
import { SETTING_WORDS } from "../../contract/words/setting-words.ts";

type Schema = {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  default?: unknown;
};

let forms: Readonly<Record<string, SettingForm>> | undefined;

/** How each setting is edited, derived from the schema of config.yml, by the names of `SETTING_WORDS`. */
export function settingForms(): Readonly<Record<string, SettingForm>> {
  forms ??= Object.fromEntries(Object.keys(SETTING_WORDS).map((key) => [key, formOf(schemaAt(key))]));
  return forms;
}

/** Of a key in a section that is absent by default. */
export function schemaDefault(key: string): unknown {
  return schemaAt(key).default ?? null;
}

let whole: Schema | undefined;

/** Derived on first use: it takes a tenth of what loading the daemon does. */
function schemaAt(key: string): Schema {
  whole ??= z.toJSONSchema(Settings, { io: "input", unrepresentable: "any" }) as Schema;
  const step = (schema: Schema, name: string) => schema.properties?.[name] ?? schema.additionalProperties ?? {};
  return key.split(".").reduce<Schema>(step, whole);
}

function formOf(schema: Schema): SettingForm {
  if (schema.anyOf !== undefined) {
    const rest = schema.anyOf.filter(({ type }) => type !== "null");
    const [only] = rest;
    if (rest.length !== 1 || only === undefined) return { kind: "data" };
    return { ...formOf(only), ...(rest.length < schema.anyOf.length ? { nullable: true } : {}) };
  }
  if (schema.enum !== undefined) return { kind: "choice", choices: schema.enum.map(String) };
  switch (schema.type) {
    case "boolean":
      return { kind: "switch" };
    case "integer":
    case "number":
      return numberForm(schema);
    case "string":
      return { kind: "text" };
    case "array":
      return schema.items?.type === "string" || schema.items?.type === "integer"
        ? { kind: "list", ...(schema.items.type === "integer" ? { numbers: true } : {}) }
        : { kind: "data" };
    default:
      return { kind: "data" };
  }
}

function numberForm({ type, minimum, maximum, exclusiveMinimum }: Schema): SettingForm {
  const [min, max] = [minimum ?? exclusiveMinimum, maximum];
  return {
    kind: "number",
    ...(type === "integer" ? { whole: true } : {}),
    ...(min === undefined || Math.abs(min) > 1e12 ? {} : { min }),
    ...(max === undefined || Math.abs(max) > 1e12 ? {} : { max }),
  };
}
