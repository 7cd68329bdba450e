import type { ModelOverride } from "../contract/documents/role.ts";
import type { OptionSpec } from "./command-spec.ts";

export const project = {
  kind: "text",
  short: "p",
  value: "PROJECT",
  help: "the project (else GUILDHALL_PROJECT)",
} as const satisfies OptionSpec;

export const onlyProject = { ...project, help: "only this project (else GUILDHALL_PROJECT, else all)" } as const;

export const ifMatch = {
  kind: "text",
  value: "ETAG",
  help: "refuse the change if the document has another etag by now",
} as const satisfies OptionSpec;

export const yes = {
  kind: "flag",
  short: "y",
  help: "do not ask; without a terminal nothing is asked",
} as const satisfies OptionSpec;

export const paging = {
  limit: { kind: "number", value: "N", help: "how many at most (1 to 1000, 100 unless given)" },
  cursor: { kind: "text", value: "CURSOR", help: "go on where an earlier list stopped" },
  all: { kind: "flag", help: "page through everything" },
} as const satisfies Record<string, OptionSpec>;

export const modelSettings = {
  model: { kind: "text", value: "MODEL", help: "'default' or provider/model" },
  thinking: { kind: "text", value: "LEVEL", help: "how much it thinks", words: ["off", "low", "medium", "high"] },
  timeout: { kind: "number", value: "SECONDS", help: "longest time for one run" },
  temperature: { kind: "number", value: "NUMBER", help: "0 to 2" },
  maxTokens: { kind: "number", value: "N", help: "longest answer" },
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
