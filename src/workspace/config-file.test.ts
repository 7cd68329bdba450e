import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOver } from "../../test/harness/temporary-folder.ts";
import { writeFirstSettings } from "./config-edit.ts";
import { loadConfig } from "./config-file.ts";

function configured(text?: string) {
  const { files, root } = filesOver();
  const path = join(root, "config.yml");
  if (text !== undefined) writeFileSync(path, text);
  return { files, text: () => readFileSync(path, "utf8") };
}

describe("what is chosen when a hall is set up", () => {
  it("is written beside what is there, which stays as it is", async () => {
    const { files, text } = configured("# mine\nversion: 1\nbudget:\n  # money\n  runUsd: 3\n# end\n");
    await writeFirstSettings(files, { defaultModel: "openai/gpt-5", dayUsd: null });
    expect(text()).toMatch(/^# mine\nversion: 1\nbudget:\n {2}# money\n {2}runUsd: 3\n {2}dayUsd: null\n.*# end\n$/s);
    expect(loadConfig(files)).toMatchObject({
      budget: { runUsd: 3, dayUsd: null },
      models: { default: "openai/gpt-5" },
    });
  });

  it("makes the file where there is none", async () => {
    for (const before of [undefined, "", "models: {}\n"]) {
      const { files } = configured(before);
      await writeFirstSettings(files, { defaultModel: "offline/rehearsal" });
      expect(loadConfig(files).models.default).toBe("offline/rehearsal");
    }
  });

  it.each([
    ["a model of a provider that nobody knows", "version: 1\n", { defaultModel: "acme/x" }],
    ["an amount below nothing", "version: 1\n", { dayUsd: -1 }],
    ["anything beside what is wrong already", "port: 1\n", { dayUsd: 1 }],
    ["anything into what is no YAML", "a: [\n", { dayUsd: 1 }],
  ])("is refused and leaves the file: %s", async (_, before, settings) => {
    const { files, text } = configured(before);
    await expect(writeFirstSettings(files, settings)).rejects.toMatchObject({ code: "config_invalid" });
    expect(text()).toBe(before);
  });

  it("does not touch the file when it is the default", async () => {
    const { files } = configured();
    await writeFirstSettings(files, {});
    expect(files.exists("config.yml")).toBe(false);
  });
});
