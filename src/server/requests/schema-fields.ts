import type { JsonSchema } from "../api-schemas.ts";

/** One line of a table that describes an object to people. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** The shape the type names, when it is one that is described elsewhere. */
  readonly reference: string | undefined;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The fields of an object, those of objects within it under dotted names. Named shapes are referred to, not unfolded. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas): Field[] {
  const name = refName(schema);
  return unfold(name === undefined ? schema : (schemas[name] ?? {}), "");
}

function refName(schema: JsonSchema): string | undefined {
  return schema.$ref?.split("/").at(-1);
}

function unfold(schema: JsonSchema, prefix: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const inner = value as JsonSchema;
    const name = prefix + key;
    const item = isSchema(inner.items) ? inner.items : undefined;
    const field = {
      name,
      type: typeText(inner),
      required: schema.required?.includes(key) ?? false,
      reference: refName(inner) ?? (item && refName(item)),
    };
    if (inner.properties) return [field, ...unfold(inner, `${name}.`)];
    return item?.properties ? [field, ...unfold(item, `${name}[].`)] : [field];
  });
}

export function typeText(schema: JsonSchema): string {
  const name = refName(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return `always ${String(schema.const)}`;
  if (schema.enum) return `one of ${schema.enum.join(", ")}${fallback(schema)}`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeText(choice as JsonSchema)).join(" or ");
  return `${kindText(schema)}${fallback(schema)}`;
}

function kindText(schema: JsonSchema): string {
  if (schema.format === "date-time") return "time, ISO 8601";
  switch (schema.type) {
    case "array":
      return `list${atMost(schema.maxItems, "")} of ${isSchema(schema.items) ? typeText(schema.items) : "anything"}`;
    case "string":
      return `text${atMost(schema.maxLength, " characters")}`;
    case "integer":
      return `whole number${range(schema)}`;
    case "number":
      return `number${range(schema)}`;
    default:
      return typeof schema.type === "string" ? schema.type : "anything";
  }
}

function atMost(count: number | undefined, unit: string): string {
  return count === undefined ? "" : ` (at most ${count.toLocaleString("en")}${unit})`;
}

function range({ minimum, maximum }: JsonSchema): string {
  const from = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? ` from ${minimum}` : "";
  const to = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum.toLocaleString("en")}` : "";
  return from + to;
}

function fallback(schema: JsonSchema): string {
  return isPlain(schema.default) ? `; default: ${String(schema.default)}` : "";
}

function isPlain(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number" || typeof value === "boolean";
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
