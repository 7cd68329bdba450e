import { describe, expect, it } from "vitest";
import { parseSkill } from "./skill-file.ts";

const skill = (frontmatter: string, body = "Do it.\n") => parseSkill(`---\n${frontmatter}\n---\n${body}`, "deploy");
const head = "name: deploy\ndescription: How to deploy.";

/** Nine lists of nine of the list before. */
function bomb(): string {
  const row = (at: number) =>
    `a${at}: &a${at} [${Array(9)
      .fill(at === 0 ? "x" : `*a${at - 1}`)
      .join(", ")}]`;
  return Array.from({ length: 9 }, (_, at) => row(at)).join("\n");
}

describe("a SKILL.md", () => {
  it("has a name and a description; all else may be there", () => {
    const more =
      'license: MIT\ncompatibility: needs docker\nallowed-tools: Bash(git:*) Read\nargument-hint: [file]\nmetadata: {version: "1.0"}\nuser-invocable: false\nodd: [1, 2]';
    expect(skill(`${head}\n${more}`, "\n# Deploy\n\nDo it.\n")).toEqual({
      ok: true,
      skill: {
        slug: "deploy",
        description: "How to deploy.",
        body: "# Deploy\n\nDo it.",
        license: "MIT",
        compatibility: "needs docker",
        allowedTools: ["Bash(git:*)", "Read"],
        onlyNamed: false,
        argumentHint: "[file]",
        other: { metadata: { version: "1.0" }, "user-invocable": false, odd: [1, 2] },
      },
    });
  });

  it("may have a byte order mark, other line ends and a folded description", () => {
    const text = "\ufeff---\r\nname: deploy\r\ndescription: >-\r\n  How to\r\n  deploy.\r\n---\r\nDo it.\r\n";
    expect(parseSkill(text, "deploy")).toMatchObject({
      ok: true,
      skill: { description: "How to deploy.", body: "Do it." },
    });
  });

  it.each(["true", "yes", '"true"', "1"])("is for roles that name it with disable-model-invocation: %s", (value) => {
    expect(skill(`${head}\ndisable-model-invocation: ${value}`)).toMatchObject({ skill: { onlyNamed: true } });
  });

  it.each([
    ["no frontmatter", "Do it.", 1, "there is no frontmatter"],
    ["an open frontmatter", `---\n${head}\n`, 1, "not closed"],
    ["no name", "---\ndescription: x\n---\n", 1, "name: is missing"],
    ["no description", "---\nname: deploy\n---\n", 1, "description: is missing"],
    ["an empty description", '---\nname: deploy\ndescription: "  "\n---\n', 3, "description: must not be empty"],
    [
      "the name of another folder",
      "---\ndescription: x\nname: other\n---\n",
      3,
      "name: must be 'deploy', like its folder",
    ],
    ["a name that climbs", "---\nname: ../deploy\ndescription: x\n---\n", 2, "name: must be lower-case"],
    ["a name with capitals", "---\nname: Deploy\ndescription: x\n---\n", 2, "name: must be lower-case"],
    ["a name with two hyphens", "---\nname: de--ploy\ndescription: x\n---\n", 2, "name: must be lower-case"],
    ["a name that is a list", "---\nname: [deploy]\ndescription: x\n---\n", 2, "name: must be a text"],
    ["a long description", `---\nname: deploy\ndescription: ${"x".repeat(1_025)}\n---\n`, 3, "at most 1024"],
    ["a description in disguise", '---\nname: deploy\ndescription: "a\\u202eb"\n---\n', 3, "deceptive"],
    ["hidden tags in its body", `---\n${head}\n---\nDo it.\n\u{e0041}\u{e0042}\n`, 6, "invisible characters"],
    ["a direction of its own", `---\n${head}\n---\na\u202eb\n`, 5, "invisible characters"],
    ["a NUL", `---\n${head}\n---\na\0b\n`, 5, "it is not text"],
    ["a key twice", `---\n${head}\nname: deploy\n---\n`, 4, "name"],
    ["a YAML bomb", `---\n${head}\n${bomb()}\n---\n`, expect.any(Number), "alias"],
    ["a tag of a program", `---\n${head}\na: !!js/function "x"\n---\n`, 4, ""],
  ])("with %s is refused with its line and the reason", (_what, text, line, reason) => {
    expect(parseSkill(text, "deploy")).toEqual({ ok: false, line, reason: expect.stringContaining(reason) });
  });
});
