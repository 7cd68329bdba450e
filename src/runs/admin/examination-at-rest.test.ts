import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NOBODY } from "../../../test/harness/guildhall.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import { examineAtRest } from "./examination-at-rest.ts";

const clock = () => new Date("2026-03-01T12:00:00Z");

function rested() {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, ".guildhall"), { mode: 0o700 });
  const examine = (begin: () => { config: Config; keys: Record<string, string> }) =>
    examineAtRest({ workspace, clock, begin });
  return { workspace, examine };
}

it("the doctor looks for models without a daemon, and says how to add a key", async () => {
  const { examine } = rested();
  const config = Config.parse({});
  const without = await examine(() => ({ config, keys: { OLLAMA_HOST: NOBODY } }));
  const model = without.find(({ id }) => id === "model");
  expect(model).toMatchObject({ state: "warning", detail: expect.stringContaining("the offline model") });
  expect(model?.hint).toContain("guildhall key set NAME");
  const found = await examine(() => ({ config, keys: { OLLAMA_HOST: NOBODY, ANTHROPIC_API_KEY: "canary" } }));
  expect(found.find(({ id }) => id === "model")).toMatchObject({ state: "ok" });
  expect(JSON.stringify(found)).not.toContain("canary");
});

it("the doctor tells of keys that cannot be read, and asks for none where the settings are broken", async () => {
  const { workspace, examine } = rested();
  const unusable = () => {
    throw new HallError("config_invalid", ".guildhall/secrets can't be used: it cannot be read.");
  };
  expect(await examine(unusable)).toContainEqual(expect.objectContaining({ id: "keys", state: "failed" }));
  writeFileSync(join(workspace, "config.yml"), "server: 1\n");
  expect((await examine(unusable)).map(({ id }) => id)).not.toContain("keys");
});
