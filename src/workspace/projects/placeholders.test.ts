import { expect, it } from "vitest";
import type { Project } from "../../contract/documents/project.ts";
import { parseFrontmatter } from "../../store/markup/frontmatter.ts";
import { withoutPlaceholders } from "./placeholders.ts";
import { renderProjectMarkdown, renderProjectMemory } from "./project-text.ts";

const AT = "2026-11-16T12:00:00.000Z";
const empty = {
  id: "shop",
  name: "Shop",
  description: "",
  status: "active",
  team: [],
  config: {
    techStack: { languages: [], frameworks: [], tools: [] },
    goals: [],
    scope: { in: [], out: [] },
    constraints: {},
  },
  createdAt: AT,
  updatedAt: AT,
} as unknown as Project;

function page(changes: Partial<Project>): string {
  const parsed = parseFrontmatter(renderProjectMarkdown({ ...empty, ...changes }, {}, (id) => id));
  if (!parsed.ok) throw new Error("PROJECT.md has no frontmatter");
  return parsed.parsed.body;
}

it("leaves nothing of a new project's files", () => {
  expect(withoutPlaceholders(page({}))).toBe("");
  expect(withoutPlaceholders(renderProjectMemory(AT))).toBe("");
});

it("leaves nothing of the files that older versions made", () => {
  const older = `# Shop\n\n## Overview\nWhat this project is about.\n\n## Tech Stack\n- **Languages:** not said\n\n## Scope\n### In Scope\n\n- Not said.\n`;
  expect(withoutPlaceholders(older)).toBe("");
});

it("keeps what is filled in, with its headings", () => {
  const scope = { in: ["The cart"], out: [] };
  const filled = page({ description: "Sells bread.", config: { ...empty.config, scope } });
  expect(withoutPlaceholders(filled)).toBe(
    "# Shop\n\n## Overview\nSells bread.\n\n## Scope\n### In Scope\n\n- The cart",
  );
});

it("keeps a team that has members", () => {
  const team = [{ roleId: "coder", status: "active", mode: "auto" }] as unknown as Project["team"];
  expect(withoutPlaceholders(page({ team }))).toBe(
    "# Shop\n\n## Team Assignments\n| Role | Status | Assigned |\n|------|--------|----------|\n| coder | Active | Auto |",
  );
});

it.each(["", "Prices are in cents.\n", "# Memory\n\n\n\nPrices are in cents.\n", "---\n*Not a footer*\n"])(
  "leaves %j as it is",
  (text) => {
    expect(withoutPlaceholders(text)).toBe(text);
  },
);

it("does not look into code", () => {
  const code = "# Memory\n\n```sh\n# Install\nNone.\n```\n\n## Next\n\nNone.\n";
  expect(withoutPlaceholders(code)).toBe("# Memory\n\n```sh\n# Install\nNone.\n```");
});
