import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { openHall } from "../hall/open-hall.ts";

const NOON = "2026-11-16T12:00:00.000Z";
const change = { actor: { kind: "person" as const, via: "http" as const } };
const QUESTION = { question: "Tabs or spaces?", answer: "Spaces", resolution: "Two spaces.", scope: "hall" as const };

async function openRules() {
  const workspace = temporaryFolder();
  const open = await openHall({ workspace, clock: () => new Date(NOON), version: "0" });
  onTestFinished(open.close);
  const file = join(workspace, "policies/answers.yml");
  return { ...open, rules: open.hall.answerRules, file, text: () => readFileSync(file, "utf8") };
}

it("keeps rules with their ids, and never uses an id twice", async () => {
  const { rules, text } = await openRules();
  const first = await rules.add(QUESTION, change);
  expect(first).toEqual({ id: "rule-001", ...QUESTION, createdAt: NOON });
  await rules.remove("rule-001", change);
  expect(rules.list()).toEqual([]);
  expect(await rules.add(QUESTION, change)).toMatchObject({ id: "rule-002" });
  expect(text()).toContain("# Questions that are always answered the same way.");
  await expect(rules.remove("rule-001", change)).rejects.toThrow("There is no answer rule 'rule-001'.");
  await expect(rules.add({ ...QUESTION, scope: "project", projectId: "none" }, change)).rejects.toThrow("project");
});

it("follows edits of the file, and keeps comments and other rules byte for byte", async () => {
  const { rules, file, text } = await openRules();
  await rules.add(QUESTION, change);
  appendFileSync(file, "# by hand\n");
  const byHand = "  - id: rule-007\n    question: Which port? # the old one\n    resolution: 8080\n    scope: hall\n";
  writeFileSync(file, text().replace("rules:\n", `rules:\n${byHand.replace("8080", '"8080"')}`));
  expect(rules.list().map(({ id }) => id)).toEqual(["rule-007", "rule-001"]);
  await rules.update("rule-001", { resolution: "Four spaces." }, change);
  expect(text()).toContain("question: Which port? # the old one");
  expect(text()).toContain("# by hand");
  expect(rules.get("rule-001")).toMatchObject({ resolution: "Four spaces.", answer: "Spaces" });
});

it("reports a broken file with its line, uses none of its rules, and leaves it as it is", async () => {
  const { rules, file, text, hall } = await openRules();
  await rules.add(QUESTION, change);
  const broken = text().replace("scope: hall", "scope: galaxy");
  writeFileSync(file, broken);
  expect(rules.list()).toEqual([]);
  expect(hall.health.problems()).toMatchObject([
    {
      file: "policies/answers.yml",
      line: 8,
      reason: expect.stringContaining("none of its rules apply until it is fixed"),
    },
  ]);
  await expect(rules.add(QUESTION, change)).rejects.toMatchObject({ code: "file_invalid" });
  expect(text()).toBe(broken);
});
