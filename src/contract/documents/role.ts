import { z } from "zod";
import { line, prose, Slug, Timestamp } from "../words/text.ts";
import { ASKABLE_TOOLS } from "../words/tool-names.ts";

export const Thinking = z.enum(["off", "low", "medium", "high"]);

/** `default` stands for the hall's default model. */
const ModelId = z
  .string()
  .max(200)
  .regex(/^[\w.:-]+(?:\/[\w.:@-]+)*$/, "must be 'default' or 'provider/model'");

export const ModelConfig = z.strictObject({
  model: ModelId.default("default"),
  thinking: Thinking.default("medium"),
  timeout: z.int().min(1).max(86_400).default(300),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).max(10_000_000).optional(),
});
export type ModelConfig = z.infer<typeof ModelConfig>;

/** An override names only what it changes. */
export const ModelOverride = z.strictObject({
  model: ModelId.optional(),
  thinking: Thinking.optional(),
  timeout: z.int().min(1).max(86_400).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).max(10_000_000).optional(),
});
export type ModelOverride = z.infer<typeof ModelOverride>;

export const Skills = z.array(Slug).max(100);
/** Tools whose calls need the person's consent. An unknown name is refused: it would not be asked about. */
export const AskTools = z
  .array(
    z
      .string()
      .max(100)
      .refine((name) => ASKABLE_TOOLS.includes(name), {
        error: `must be one of ${ASKABLE_TOOLS.join(", ")}`,
      }),
  )
  .max(50);
const VariableName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "must be a plain variable name");

const roleFields = {
  name: line(120),
  emoji: line(16).default("🤖"),
  description: prose(4_000).default(""),
  specialty: z.array(line(60)).max(50).default([]),
  modelConfig: ModelConfig.prefault({}),
  skills: Skills.default([]),
  ask: AskTools.optional(),
  systemPromptTemplate: prose(100_000).default(""),
  variables: z.array(VariableName).max(50).default([]),
};

export const Role = z.strictObject({
  id: Slug,
  ...roleFields,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: z.int().min(1),
});
export type Role = z.infer<typeof Role>;

/** A role as kept in ROLES.json: keys we do not know are kept. `request` remembers the Idempotency-Key that made it. */
export const StoredRole = z.looseObject({ ...Role.shape, request: z.string().optional() });
export type StoredRole = z.infer<typeof StoredRole>;

/** Paths below /api/roles that a role of that name would hide behind. */
const TAKEN_NAMES = ["templates", "suggestions"];

export const RoleCreate = z
  .strictObject({
    id: Slug.refine((id) => !TAKEN_NAMES.includes(id), "is a reserved name").optional(),
    template: Slug.optional(),
    name: roleFields.name.optional(),
    emoji: line(16).optional(),
    description: prose(4_000).optional(),
    specialty: z.array(line(60)).max(50).optional(),
    modelConfig: ModelOverride.optional(),
    skills: Skills.optional(),
    ask: AskTools.optional(),
    systemPromptTemplate: prose(100_000).optional(),
    variables: z.array(VariableName).max(50).optional(),
  })
  .meta({ anyOf: [{ required: ["name"] }, { required: ["template"] }] });
export type RoleCreate = z.infer<typeof RoleCreate>;

/** Only what is named changes; null takes an optional setting of the model away. */
export const RoleUpdate = RoleCreate.omit({ id: true, template: true }).extend({
  modelConfig: ModelOverride.extend({
    temperature: ModelOverride.shape.temperature.nullable(),
    maxTokens: ModelOverride.shape.maxTokens.nullable(),
  }).optional(),
});
export type RoleUpdate = z.infer<typeof RoleUpdate>;

export const RoleTemplate = z.strictObject({
  id: Slug,
  name: z.string(),
  description: z.string(),
  baseRole: z.strictObject({ ...Role.shape, createdAt: z.string(), updatedAt: z.string() }),
});
export type RoleTemplate = z.infer<typeof RoleTemplate>;

export const RoleSuggestion = z.strictObject({ roleId: Slug, score: z.number(), matched: z.array(z.string()) });
export type RoleSuggestion = z.infer<typeof RoleSuggestion>;
