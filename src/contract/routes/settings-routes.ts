import { z } from "zod";
import { hintFields } from "../words/hint-schema.ts";
import { success } from "./route-parts.ts";

/** How a setting is edited. `data`: as JSON. */
const SettingForm = z.strictObject({
  kind: z.enum(["switch", "number", "text", "choice", "list", "data"]),
  choices: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  whole: z.boolean().optional(),
  /** A list of numbers. */
  numbers: z.boolean().optional(),
  /** null is a value of its own: no limit. */
  nullable: z.boolean().optional(),
});
export type SettingForm = z.infer<typeof SettingForm>;

const Setting = z.strictObject({
  /** As in config.yml: `limits.runs`. */
  key: z.string(),
  /** As in config.yml, or the default; null where there is neither. */
  value: z.unknown(),
  default: z.unknown(),
  /** It is in config.yml. */
  set: z.boolean(),
  about: z.string(),
  /** It is edited together with the other keys of this section, some of which are required. */
  section: z.string().optional(),
  form: SettingForm,
  /** A change takes effect after a restart. */
  restart: z.boolean(),
  /** False: only Guildhall itself changes it. */
  editable: z.boolean(),
  /** A change has to be confirmed: it affects where secrets are sent or what agents can reach. */
  sensitive: z.boolean(),
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
  /** config.yml was changed since the daemon started, and some of it takes effect after a restart. */
  needsRestart: z.boolean(),
  /** Of config.yml, for If-Match. */
  etag: z.string(),
});
export type SettingsReport = z.infer<typeof SettingsReport>;

export const SettingsUpdate = z.strictObject({
  /** Values by key, such as `{"limits.runs": 4}`. Keys of one section, such as `server.tls.cert` and `server.tls.key`, go together. */
  set: z.record(z.string().max(100), z.unknown()).optional(),
  /** Keys to remove from config.yml, so that their default applies. */
  reset: z.array(z.string().max(100)).max(200).optional(),
  /** Keys of sensitive settings whose change is meant. */
  confirmed: z.array(z.string().max(100)).max(200).optional(),
});
export type SettingsUpdate = z.infer<typeof SettingsUpdate>;

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
    summary: "All settings of config.yml with values and descriptions, and file locations. Secrets are never shown.",
    group: "Hall",
    response: SettingsReport,
  },
  updateSettings: {
    summary:
      "Change settings in config.yml; comments and other lines are kept. If-Match takes the etag of the settings. Requires a person's token.",
    group: "Hall",
    body: SettingsUpdate,
    response: z.strictObject({ ...success, needsRestart: z.boolean(), etag: z.string() }),
  },
  getDoctor: {
    summary: "Setup check: providers, sandbox, git, disk, permissions, index, files and installed agent programs.",
    group: "Hall",
    response: z.strictObject({ checks: z.array(HealthCheck) }),
  },
} as const;
