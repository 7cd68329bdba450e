import { CONFIG_FILE, configVersion, withConfigVersion } from "../config-file.ts";
import type { MigrationStep } from "./step.ts";

const VERSION = 2;

/**
 * Programs of format 1 know nothing of formats, but refuse a config.yml of another version: that keeps them from opening a
 * workspace that they would misread.
 */
export const migrateConfigVersion: MigrationStep = async ({ files, copies }) => {
  const text = files.exists(CONFIG_FILE) ? files.text(CONFIG_FILE) : "";
  if (configVersion(text) === VERSION) return;
  if (files.exists(CONFIG_FILE)) await copies.keep(CONFIG_FILE);
  await files.replace(CONFIG_FILE, withConfigVersion(text, VERSION));
};
