import { z } from "zod";
import { HallError } from "../contract/errors.ts";
import type { ToolSpec } from "../contract/runs/model-call.ts";
import { hintText } from "../contract/words/hint.ts";

export interface ToolOutcome {
  output: string;
  failed?: boolean;
  /** Files this call changed, relative to the working folder. */
  files?: string[];
  /** The file of the agent's memory that this call wrote. */
  remembered?: string;
  /** Where the output comes from, when strangers wrote it. */
  untrusted?: string;
  /** What a command took too much of, so that it was ended. */
  stopped?: "time" | "memory" | "processes" | "disk";
}

export interface ToolUse {
  callId: string;
  signal: AbortSignal;
  /** The call was allowed as it was asked about: it must not reach anything that it does not name. */
  isGuarded?: boolean;
}

/** A function an agent may call. Expected failures are outcomes with `failed`; the agent reads them and goes on. */
export interface Tool {
  spec: ToolSpec;
  /** A call that changes nothing may run beside others. */
  changes: boolean;
  /** May be carried out again after a crash, because whoever carries it out remembers the call's id. */
  repeatable?: boolean;
  /** Repeating it does no harm, but nobody remembers the call: where it needed consent, it is not repeated. */
  unremembered?: boolean;
  run(input: string, use: ToolUse): Promise<ToolOutcome>;
}

export interface ToolDefinition<Schema extends z.ZodType> {
  name: string;
  description: string;
  input: Schema;
  changes: boolean;
  repeatable?: boolean;
  unremembered?: boolean;
  run(input: z.output<Schema>, use: ToolUse): Promise<ToolOutcome> | ToolOutcome;
}

export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, input: schema, changes, repeatable, unremembered } = definition;
  return {
    spec: { name, description, inputSchema: jsonSchemaOf(schema) },
    changes,
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(unremembered === undefined ? {} : { unremembered }),
    run: async (text, use) => {
      const parsed = parseInput(schema, text);
      return parsed.ok
        ? definition.run(parsed.value, use)
        : { output: `The input of ${name} is not valid: ${parsed.reason}`, failed: true };
    },
  };
}

/** What the hall refuses is told to the agent, with what to do about it. */
export async function toolOutcome(work: () => Promise<string>): Promise<ToolOutcome> {
  try {
    return { output: await work() };
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    return { output: `${error.message} ${hintText(error.hint)}`.trimEnd(), failed: true };
  }
}

/** A schema that is made with the first tool that needs it, for all that come after: making one costs more than most calls. */
export function schemaOnce<Schema extends z.ZodType>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const shownSchemas = new WeakMap<z.ZodType, Record<string, unknown>>();

/** As models are shown it: every word of it is paid for with every request. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const known = shownSchemas.get(schema);
  if (known !== undefined) return known;
  const { $schema: _, ...shown } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  shownSchemas.set(schema, shown);
  return shown;
}

/** All that is wrong with an input, at once. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): { ok: true; value: z.output<Schema> } | { ok: false; reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(text === "" ? "{}" : text);
  } catch {
    return { ok: false, reason: "it is not JSON. Send one JSON object." };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    reason: `${parsed.error.issues.map(reasonOf).join("; ")}.`,
  };
}

function reasonOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.map(String).join(".") || "input"}: ${message}`;
}
