import type { ModelOverride } from "../contract/role.ts";

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
