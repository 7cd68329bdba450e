import { describe, expect, it } from "vitest";
import { type Assignment, type Project, ProjectCreate } from "../../contract/documents/project.ts";
import { plainMarkdown } from "../knowledge/plain-markdown.ts";
import { applyProjectUpdate, newProject } from "./project-rules.ts";
import { editProjectMarkdown, renderProjectMarkdown, renderProjectMemory, teamTable } from "./project-text.ts";

const AT = "2026-01-01T00:00:00Z";
const LATER = "2026-02-01T00:00:00Z";
const named = (roleId: string) => roleId.toUpperCase();

function project(body: object = {}): Project {
  return newProject("mill", ProjectCreate.parse({ name: "Mill", ...body }), AT);
}

const page = (made = project(), background = "") => renderProjectMarkdown(made, { background }, named);

function edited(text: string, before: Project, change: object): string {
  const after = { ...applyProjectUpdate(before, change), updatedAt: LATER };
  return editProjectMarkdown(text, before, after, named);
}

function assignment(roleId: string, fields: Partial<Assignment> = {}): Assignment {
  return {
    id: `asg-${roleId}`,
    roleId,
    projectId: "mill",
    status: "active",
    mode: "on-demand",
    assignedAt: AT,
    ...fields,
  };
}

describe("a new PROJECT.md", () => {
  it("has every section, said or not", () => {
    expect(page().match(/^##? .*$/gm)).toEqual([
      "# Mill",
      "## Overview",
      "## Goals",
      "## Background",
      "## Constraints",
      "## Tech Stack",
      "## Scope",
      "## Team Assignments",
    ]);
    expect(page()).toContain("## Goals\nNone yet.\n");
    expect(page()).toContain("- **Languages:** not set\n");
  });

  it("keeps headings inside a person's text from being taken for its own", () => {
    const text = page(project({ description: "a\n## Goals\nb\n## Else\nc" }), "d\n## Scope\ne");
    expect(text.match(/^## Goals$/gm)).toHaveLength(1);
    expect(text.match(/^## Scope$/gm)).toHaveLength(1);
    expect(text).toContain("a\n\\## Goals\nb\n\\## Else\nc\n");
  });
});

describe("a PROJECT.md after a change", () => {
  it("differs in the sections that tell of what changed, and in its date", () => {
    const before = project({ description: "Old", goals: ["One"] });
    const text = edited(page(before), before, { description: "New", goals: [] });
    const expected = page(before).replace("\nOld\n", "\nNew\n").replace("1. One", "None yet.");
    expect(text).toBe(expected.replace(`*Updated: ${AT}*`, `*Updated: ${LATER}*`));
  });

  it("keeps a person's text in sections whose facts did not change", () => {
    const before = project();
    const mine = page(before).replace("None yet.", "Whatever comes.").replace("None.", "Be kind.");
    const text = edited(mine, before, { description: "New" });
    expect(text).toContain("## Goals\nWhatever comes.\n");
    expect(text).toContain("## Constraints\nBe kind.\n");
  });

  it("puts a section back that was taken out, when it has something to tell", () => {
    const before = project();
    const without = page(before).replace(/## Goals\nNone yet\.\n\n/, "");
    expect(edited(without, before, { goals: ["One"] })).toContain("## Goals\n1. One\n\n## Background\n");
    expect(edited(without, before, { description: "New" })).not.toContain("## Goals");
  });

  it("gets its title changed, or a new one where there was none", () => {
    const before = project();
    expect(edited(page(before), before, { name: "Windmill" })).toContain("\n# Windmill\n\n## Overview\n");
    const without = page(before).replace("# Mill\n\n", "");
    expect(edited(without, before, { name: "Windmill" })).toContain("\n# Windmill\n\n## Overview\n");
  });

  it("replaces its table and keeps what a person wrote around it", () => {
    const before = project();
    const mine = page(before)
      .replace("| Role |", "Ask Ada first.\n\n| Role |")
      .replace("\n---\n*C", "\nThey rest on Sundays.\n\n---\n*C");
    const after = { ...before, team: [assignment("coder", { mode: "auto" })], updatedAt: LATER };
    const text = editProjectMarkdown(mine, before, after, named);
    expect(text).toContain("Ask Ada first.\n\n| Role |");
    expect(text).toContain("| CODER | Active | Auto |\n\nThey rest on Sundays.\n");
    expect(text).toContain(`*Created: ${AT}*\n*Updated: ${LATER}*\n`);
    const again = editProjectMarkdown(text, after, { ...after, team: [] }, named);
    expect(again).not.toContain("CODER");
    expect(again).toContain("They rest on Sundays.");
  });

  it("is left as it is when its frontmatter cannot be read", () => {
    const before = project();
    expect(edited("no fence", before, { name: "New" })).toBe("no fence");
  });
});

describe("the table of a team", () => {
  it("tells status and mode, and stays a table whatever a role is called", () => {
    const team = [assignment("a", { status: "paused" }), assignment("b", { mode: "auto" })];
    expect(teamTable(team, (id) => `<${id}|>`)).toBe(
      [
        "| Role | Status | Assigned |",
        "|------|--------|----------|",
        "| \\<a\\|\\> | Paused | On-Demand |",
        "| \\<b\\|\\> | Active | Auto |",
      ].join("\n"),
    );
  });

  it("shows text of others as nothing but text", () => {
    expect(plainMarkdown("a|b [c](d) `e` *f* <g>\nh")).toBe("a\\|b \\[c\\](d) \\`e\\` \\*f\\* \\<g\\> h");
  });
});

describe("a new MEMORY.md", () => {
  it("ends with its date", () => {
    expect(renderProjectMemory(AT).endsWith(`\n---\n*Last updated: ${AT}*\n`)).toBe(true);
  });
});
