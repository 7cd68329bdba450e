import { expect, it } from "vitest";
import { z } from "zod";
import { Config } from "../documents/config.ts";
import { SETTING_WORDS, sectionOf, settingName } from "./setting-words.ts";

type Described = { properties?: Record<string, Described>; additionalProperties?: Described | false };

function keysOf({ properties = {} }: Described, before = ""): string[] {
  return Object.entries(properties).flatMap(([name, inner]) => {
    if (inner.properties !== undefined) return keysOf(inner, `${before}${name}.`);
    return name === "providers" && inner.additionalProperties
      ? keysOf(inner.additionalProperties, "providers.NAME.")
      : [`${before}${name}`];
  });
}

it("has words for every key that config.yml can have, and for no other", () => {
  const schema = z.toJSONSchema(Config, { io: "input", unrepresentable: "any" }) as Described;
  expect(Object.keys(SETTING_WORDS).sort()).toEqual(keysOf(schema).sort());
  for (const words of Object.values(SETTING_WORDS)) expect(words).toMatch(/^\S.*\.$/);
});

it("knows the section of a key, and the words for a provider of any name", () => {
  const keys = ["server.tls.cert", "server.port", "web.search.kind", "web.allow", "providers.my-lab.api"];
  expect(keys.map(sectionOf)).toEqual(["server.tls", undefined, "web.search", undefined, "providers.my-lab"]);
  expect(settingName("providers.my-lab.api")).toBe("providers.NAME.api");
  expect(settingName("providers.a.b.api")).toBe("providers.a.b.api");
  expect(settingName("limits.runs")).toBe("limits.runs");
});
