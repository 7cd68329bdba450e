import { describe, expect, it } from "vitest";
import { availableSkills, SkillShelf } from "../../agent/skills/skill-shelf.ts";
import { KIND_TABLE } from "../../contract/words/teams/project-kinds.ts";
import { DOMAINS } from "../../contract/words/teams/team-words.ts";
import { KNOWN_TOOLS } from "../../contract/words/tool-names.ts";
import { PROGRAM_FOLDER } from "../../program.ts";
import { builtInRole, CHECKER_ROLE, LEAD_ROLE, roleForDomain } from "./built-in-roles.ts";

const packsOf = (id: string) => builtInRole(id)?.skills.filter((name) => !KNOWN_TOOLS.includes(name));

describe("the roles that teams bring along", () => {
  it.each([
    ["ux_design", "ux-ui-designer"],
    ["frontend", "frontend-implementer"],
    ["backend", "backend-implementer"],
    ["search", "codebase-cartographer"],
    ["research", "codebase-cartographer"],
    ["review", "quality-reviewer"],
  ] as const)(
    "have the skill of the domain %s: %s [S1-RT-06] [S1-RT-07] [S1-RT-08] [S1-RT-09] [S1-RT-10]",
    (domain, slug) => {
      expect(packsOf(roleForDomain(domain))).toEqual([slug]);
    },
  );

  it("are there for every domain, for leads and for checkers", () => {
    for (const id of [...DOMAINS.map(roleForDomain), LEAD_ROLE, CHECKER_ROLE]) expect(builtInRole(id)?.id).toBe(id);
    expect(builtInRole("toString")).toBeUndefined();
  });

  it("[S1-RT-11] have their skills in .agents/skills, which need no approval", () => {
    const where = { workspace: PROGRAM_FOLDER, program: PROGRAM_FOLDER };
    const packs = availableSkills(where).filter(({ origin }) => origin === "built-in");
    const named = DOMAINS.flatMap((domain) => packsOf(roleForDomain(domain)) ?? []);
    const standards = Object.values(KIND_TABLE).flatMap(({ skills }) => skills);
    expect(packs.map(({ slug }) => slug)).toEqual([...new Set([...named, ...standards])].sort());
    // Standards are for members whose work they concern.
    expect(packs.filter(({ onlyNamed }) => onlyNamed).map(({ slug }) => slug)).toEqual([...new Set(standards)].sort());
    expect(packs.every(({ usable }) => usable)).toBe(true);
    expect(new SkillShelf(where).find().problems).toEqual([]);
  });
});
