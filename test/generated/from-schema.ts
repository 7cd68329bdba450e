import fc from "fast-check";
import { z } from "zod";
import { awkwardText } from "./awkward.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Values of the form a schema asks for. What only its refinements refuse still occurs among them. */
export function fitting(schema: z.ZodType): fc.Arbitrary<unknown> {
  return arbitraryOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/** Values that a schema accepts, paired with what it makes of them. */
export function accepted<Schema extends z.ZodType>(
  schema: Schema,
  fixed: object = {},
): fc.Arbitrary<{ sent: unknown; meant: z.output<Schema> }> {
  return fitting(schema)
    .map((value) => ({ ...(value as object), ...fixed }))
    .filter((sent) => schema.safeParse(sent).success)
    .map((sent) => ({ sent, meant: schema.parse(sent) }));
}

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  // An object of which one field or another is required.
  if (choices && schema.properties)
    return fc.oneof(
      ...choices.map((choice) =>
        objectOf({ ...schema, required: [...(schema.required ?? []), ...((choice as JsonSchema).required ?? [])] }),
      ),
    );
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice as JsonSchema)));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => arbitraryOf({ ...schema, type })));
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: Math.max(schema.minimum ?? 0, -1_000), max: Math.min(schema.maximum ?? 9, 1_000) });
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 9, noNaN: true });
    case "string":
      return textOf(schema);
    case "array":
      return fc.array(arbitraryOf(schema.items as JsonSchema), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case "object":
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const TIMES = ["2026-11-16T08:00:00Z", "2026-11-16T08:00:00.123+05:30", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"];

function textOf({ format, pattern, minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  // Their pattern takes more characters than are made up for one.
  if (format === "date-time") return fc.constantFrom(...TIMES);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(maxLength, 12) });
  return awkwardText.map((text) => text.slice(0, maxLength).padEnd(minLength, "x"));
}

function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, field]) => {
    // The only form that no schema can tell.
    const values =
      name === "workdir" ? fc.constantFrom("/srv/work", "/srv/ä b", "C:\\work") : arbitraryOf(field as JsonSchema);
    return [name, values] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
}
