import { z } from "zod";
import { hintFields } from "../words/hint-schema.ts";

const Setting = z.strictObject({
  /** As in config.yml: `limits.runs`. */
  key: z.string(),
  /** What counts now; null where nothing is set and there is no default. */
  value: z.unknown(),
  default: z.unknown(),
  /** It stands in config.yml. */
  set: z.boolean(),
  about: z.string(),
});
export type Setting = z.infer<typeof Setting>;

export const SettingsReport = z.strictObject({
  settings: z.array(Setting),
  /** Variables that secrets are looked for in, and whether they hold one; never what. */
  secrets: z.array(z.strictObject({ name: z.string(), set: z.boolean() })),
  /** Absolute. */
  paths: z.strictObject({
    workspace: z.string(),
    config: z.string(),
    token: z.string(),
    secrets: z.string(),
    index: z.string(),
    events: z.string(),
    costs: z.string(),
    home: z.string(),
  }),
  /** config.yml was changed since the daemon started, and something of it counts after a restart. */
  needsRestart: z.boolean(),
});
export type SettingsReport = z.infer<typeof SettingsReport>;

export const HealthCheck = z.strictObject({
  id: z.string(),
  title: z.string(),
  state: z.enum(["ok", "warning", "failed"]),
  detail: z.string(),
  /** The number that the detail is about, where there is one. */
  value: z.number().optional(),
  ...hintFields,
});
export type HealthCheck = z.infer<typeof HealthCheck>;

export const settingsRoutes = {
  getSettings: {
    summary:
      "Every key of config.yml with its value and what it is for, and where things lie. Secrets are never shown.",
    group: "Hall",
    response: SettingsReport,
  },
  getDoctor: {
    summary:
      "Whether all is well: providers, sandbox, git, disk, permissions, index, files, and agents' programs found.",
    group: "Hall",
    response: z.strictObject({ checks: z.array(HealthCheck) }),
  },
} as const;
