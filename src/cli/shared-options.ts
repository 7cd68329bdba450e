import type { ModelOverride } from "../contract/documents/role.ts";
import type { OptionSpec } from "./command-spec.ts";

export const project = {
  kind: "text",
  short: "p",
  value: "PROJECT",
  help: "Project (default: $GUILDHALL_PROJECT)",
} as const satisfies OptionSpec;

export const onlyProject = { ...project, help: "Filter by project (default: $GUILDHALL_PROJECT or all)" } as const;

export const ifMatch = {
  kind: "text",
  value: "ETAG",
  help: "Change it only if it still has this etag",
} as const satisfies OptionSpec;

export const yes = {
  kind: "flag",
  short: "y",
  help: "Skip the confirmation; never asked without a terminal",
} as const satisfies OptionSpec;

export const paging = {
  limit: { kind: "number", value: "N", help: "Maximum number of results (1 to 1000, default 100)" },
  cursor: { kind: "text", value: "CURSOR", help: "Continue from the cursor of an earlier list" },
  all: { kind: "flag", help: "Show all results" },
} as const satisfies Record<string, OptionSpec>;

export const modelSettings = {
  model: { kind: "text", value: "MODEL", help: "Model: 'default' or provider/model" },
  thinking: { kind: "text", value: "LEVEL", help: "Thinking level", words: ["off", "low", "medium", "high"] },
  timeout: { kind: "number", value: "SECONDS", help: "Time limit per run" },
  temperature: { kind: "number", value: "NUMBER", help: "Temperature, 0 to 2" },
  maxTokens: { kind: "number", value: "N", help: "Output token limit per answer" },
} as const satisfies Record<string, OptionSpec>;

export interface ModelInput {
  model?: string | undefined;
  thinking?: string | undefined;
  timeout?: number | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

/** The model settings among the options of a command. The daemon refuses a word that is no thinking level. */
export function modelOverride({ model, thinking, timeout, temperature, maxTokens }: ModelInput): ModelOverride {
  return { model, thinking: thinking as ModelOverride["thinking"], timeout, temperature, maxTokens };
}
