import { expect, it } from "vitest";
import { z } from "zod";
import { Config } from "../documents/config.ts";
import { SETTING_WORDS } from "./setting-words.ts";

type Described = { properties?: Record<string, Described> };

function keysOf({ properties = {} }: Described, before = ""): string[] {
  return Object.entries(properties).flatMap(([name, inner]) =>
    inner.properties === undefined ? [`${before}${name}`] : keysOf(inner, `${before}${name}.`),
  );
}

it("has words for every key that config.yml can have, and for no other", () => {
  const schema = z.toJSONSchema(Config, { io: "input", unrepresentable: "any" }) as Described;
  expect(Object.keys(SETTING_WORDS).sort()).toEqual(keysOf(schema).sort());
  for (const words of Object.values(SETTING_WORDS)) expect(words).toMatch(/^\S.*\.$/);
});
