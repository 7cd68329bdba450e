import { describe, expect, it } from "vitest";
import type { Role } from "../../contract/documents/role.ts";
import { Role as RoleSchema } from "../../contract/documents/role.ts";
import { parseAgentFile, renderAgentFile } from "./agent-file.ts";
import { ROLE_TEMPLATES } from "./role-templates.ts";

const file = (frontmatter: string, body = "You review.\n") => parseAgentFile(`---\n${frontmatter}\n---\n\n${body}`);

describe("a file of .claude/agents", () => {
  it("becomes a role with our names of its tools; what has none is told", () => {
    const tools = "Read, Grep, Glob, Edit, MultiEdit, Write, Bash, WebFetch, WebSearch, Task, TodoWrite, mcp__x__y";
    expect(
      file(`name: code-reviewer\ndescription: Reviews.\ntools: ${tools}\nmodel: sonnet\ncolor: red\nskills: lint`),
    ).toEqual({
      ok: true,
      file: {
        name: "code-reviewer",
        model: "sonnet",
        role: {
          name: "code-reviewer",
          description: "Reviews.",
          skills: [
            ...["read", "search", "list", "edit", "write", "exec", "web_fetch", "web_search", "spawn_subagent"],
            "lint",
          ],
          systemPromptTemplate: "You review.",
          variables: [],
        },
        notes: ["No equivalent tool for TodoWrite, mcp__x__y."],
      },
    });
  });

  it("that restricts a tool does not get all of it", () => {
    const outcome = file("name: a\ndescription: x\ntools: [Read, 'Bash(git diff:*)']");
    expect(outcome).toMatchObject({
      file: { role: { skills: ["read"] }, notes: [expect.stringContaining("Bash(git diff:*)")] },
    });
  });

  it("that names no tools gets to read, and no more", () => {
    expect(file("name: a\ndescription: x")).toMatchObject({
      file: { model: "inherit", role: { skills: ["read"] }, notes: [expect.stringContaining("lists no tools")] },
    });
    expect(file("name: a\ndescription: x\ntools: ''")).toMatchObject({ file: { role: { skills: [] }, notes: [] } });
  });

  it("may be written as people speak, which is no YAML", () => {
    const description = 'Use it like this: <example>user: "go" #1 assistant: [x]</example> *now*';
    expect(file(`name: a\ndescription: ${description}\ntools: Read`)).toMatchObject({
      file: { role: { description } },
    });
  });

  it.each([
    ["no name", "---\ndescription: x\n---\n", 1, "name: is missing"],
    ["no frontmatter", "You review.", 1, "there is no frontmatter"],
    ["broken YAML", "---\nname: a\n  b: [\n---\n", expect.any(Number), ""],
    ["rights that are no names", "---\nname: a\nguildhall: {skills: ['*']}\n---\n", 3, "guildhall: skills"],
    ["a name that is none", "---\nname: [\ndescription: a: b\n---\n", expect.any(Number), ""],
    ["a name twice", "---\nname: a\ndescription: a: b\nname: c\n---\n", expect.any(Number), ""],
  ])("with %s is refused with the line", (_what, text, line, reason) => {
    expect(parseAgentFile(text)).toEqual({ ok: false, line, reason: expect.stringContaining(reason) });
  });
});

describe("a role", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const odd: Partial<Role> = {
    name: "Odd: [one] #1",
    description: "Line one\n\n---\nline: two 🦉",
    systemPromptTemplate: "---\nBe {{braces}}literal}}.\n---",
    skills: ["exec", "memory", "my-skill"],
    specialty: ["a, b"],
    modelConfig: { model: "own/m:1", thinking: "high", timeout: 9, temperature: 0.5 },
  };
  const roles = [...ROLE_TEMPLATES.map(({ baseRole }) => baseRole), { ...ROLE_TEMPLATES[0]?.baseRole, ...odd }].map(
    (role) => RoleSchema.parse({ ...role, createdAt: at, updatedAt: at, version: 1 }),
  );

  it.each(roles.map((role) => [role.name, role] as const))("goes to a file and back as it was: %s", (_name, role) => {
    const outcome = parseAgentFile(renderAgentFile(role).text);
    const { id, createdAt, updatedAt, version, ...fields } = role;
    expect(outcome).toEqual({ ok: true, file: { name: id, role: fields, notes: [] } });
  });

  it("is written with the names that other tools know, and says what they do not", () => {
    const { text, notes } = renderAgentFile({ ...(roles.at(-1) as Role), id: "odd" });
    expect(text).toMatch(/^---\nname: odd\n[\s\S]*\ntools: Bash\nmodel: inherit\n/);
    expect(text).toContain("\nBe {{literal}}.\n");
    expect(notes).toEqual(["Other tools have no equivalent for memory, my-skill."]);
    const sonnet = {
      ...(roles[0] as Role),
      modelConfig: { ...(roles[0] as Role).modelConfig, model: "anthropic/claude-sonnet-4-5" },
    };
    expect(renderAgentFile(sonnet).text).toContain("\nmodel: sonnet\n");
  });
});
