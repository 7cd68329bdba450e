import { describe, expect, it } from "vitest";
import type { SkillSummary } from "../../contract/documents/skill.ts";
import { skillsBudget, skillsText } from "./skills-text.ts";

const skill = (slug: string, more: Partial<SkillSummary> = {}): SkillSummary => ({
  slug,
  description: `How to ${slug}.`,
  origin: "hall",
  path: `skills/${slug}`,
  state: "new",
  hash: "h",
  usable: true,
  ...more,
});

describe("what an agent is told of its skills", () => {
  it("is nothing when there are none", () => {
    expect(skillsText([], 1_000)).toEqual({ text: "", leftOut: [] });
  });

  it("is name and description of each, and of those that nobody accepted only the name", () => {
    const { text } = skillsText([skill("a", { argumentHint: "[file]" }), skill("b", { usable: false })], 5_000);
    expect(text.split("\n").slice(1)).toEqual([
      "- a [file]: How to a.",
      expect.stringMatching(/^- b \(.*refuses it\)$/),
    ]);
    expect(text).not.toContain("How to b");
  });

  it("stays within its room, and says what is left out", () => {
    const many = Array.from({ length: 60 }, (_, at) => skill(`s${at}`, { description: "x".repeat(900) }));
    const { text, leftOut } = skillsText(many, 16_000);
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(leftOut.length).toBeGreaterThan(40);
    expect(text).toMatch(/\n\(\d+ more omitted\)$/);
    expect(skillsText([skill("a"), skill("b", { description: "y".repeat(900) })], 600).text).toMatch(
      /\n\(omitted: b\)$/,
    );
  });

  it("takes 2 % of the window, and at most 16,000 characters", () => {
    expect([skillsBudget(8_000), skillsBudget(200_000), skillsBudget(1_000_000)]).toEqual([640, 16_000, 16_000]);
  });
});
