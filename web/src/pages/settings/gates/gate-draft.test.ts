import { expect, test } from "vitest";
import { SETTING_WORDS } from "../../../../../src/contract/words/setting-words.ts";
import { GATE_GROUPS, gateChangeOf, gateDraftOf, inheritedWords, nested, valueAt } from "./gate-draft.ts";

const SETTINGS = { enabled: false, commands: { tests: "npm test" }, knownFailingTests: ["a b", "c"] };
const draft = gateDraftOf((key) => valueAt(SETTINGS, key));
const FIELDS = GATE_GROUPS.flatMap(({ fields }) => fields);

test("the form has a field for every setting of the gates", () => {
  const section = "agentTeams.qualityGates.";
  const leaves = Object.keys(SETTING_WORDS).flatMap((key) =>
    key.startsWith(section) ? key.slice(section.length) : [],
  );
  expect(FIELDS.map(({ key }) => key).sort()).toEqual(leaves.sort());
});

test("a change names only what was changed, and an emptied field inherits again", () => {
  const after = {
    ...draft,
    ...{ enabled: "", appliesTo: "all", passThreshold: "85", "commands.tests": "", "commands.syntax": " tsc " },
    knownFailingTests: "a b\n\n d ",
  };
  const change = nested(gateChangeOf(draft, after));
  expect(change).toEqual({
    ...{ enabled: null, appliesTo: "all", passThreshold: 85 },
    commands: { tests: null, syntax: "tsc" },
    knownFailingTests: ["a b", "d"],
  });
  expect(gateChangeOf(draft, draft)).toEqual([]);
});

test("an empty field says what it comes to", () => {
  const words = (key: string, value: unknown) => {
    const field = FIELDS.find((each) => each.key === key);
    return field && inheritedWords(field, value);
  };
  expect(words("enabled", true)).toBe("on");
  expect(words("appliesTo", "teams")).toBe("Runs of teams");
  expect(words("commands.tests", undefined)).toBe("none");
  expect(words("knownFailingTests", [])).toBe("none");
  expect(words("passThreshold", 90)).toBe("90");
});
