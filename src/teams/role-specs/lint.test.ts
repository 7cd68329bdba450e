import { describe, expect, it } from "vitest";
import { RESPONSIBILITY_TYPES, SUBAGENTS } from "../../contract/words/teams/role-spec-words.ts";
import { generateRoleSpec } from "./generate.ts";
import { lintRoleSpec } from "./lint.ts";

const wanted = { name: "dev-impl", prefix: "IMPL", type: "code-gen-code" as const, innerLoop: false };
const GOOD = generateRoleSpec(wanted);
const rules = (text: string) => lintRoleSpec(text, { name: "dev-impl" }).faults.map(({ rule }) => rule);
const adding = (line: string) => GOOD.replace("\n## Error Handling", `\n${line}\n\n## Error Handling`);

/** The one fault that the line is, with its number. */
function refuses(line: string, rule: string): void {
  const text = adding(line);
  const at = text.split("\n").indexOf(line) + 1;
  expect(lintRoleSpec(text, { name: "dev-impl" }).faults, line).toMatchObject([{ rule, line: at, severity: "error" }]);
}

describe("generated role-specs", () => {
  it.each([
    ["orchestration", ["Context Assessment", "Investigation", "Result Aggregation"]],
    ["code-gen-docs", ["Load Prior Context", "Document Generation", "Structure Validation"]],
    ["code-gen-code", ["Load Plan and Specs", "Code Implementation", "Syntax Validation"]],
    ["read-only", ["Target Loading", "Multi-Dimension Analysis", "Severity Classification"]],
    ["validation", ["Environment Detection", "Test-Fix Cycle", "Result Analysis"]],
  ] as const)("have the phases of the type %s, and no faults [S2-TPL-10]", (type, names) => {
    const text = generateRoleSpec({ ...wanted, type });
    expect(lintRoleSpec(text, { name: "dev-impl" }).faults).toEqual([]);
    const phases = [...text.matchAll(/^## Phase (\d): (.*)$/gm)].map(([, number, name]) => `${number} ${name}`);
    expect(phases).toEqual(names.map((name, at) => `${at + 2} ${name}`));
  });

  it("have about 80 lines in place of a role of 250, and name one subagent that phase 3 may be handed to [S2-REL-02]", () => {
    for (const type of RESPONSIBILITY_TYPES) {
      const text = generateRoleSpec({ ...wanted, type });
      const lines = text.trimEnd().split("\n").length;
      expect([lines >= 50, lines <= 90], `${type}: ${lines} lines`).toEqual([true, true]);
      const [, listed = ""] = /^subagents: \[([a-z-]+)\]$/m.exec(text) ?? [];
      expect(SUBAGENTS).toContain(listed);
      const [, phase3 = ""] = /## Phase 3: ([\s\S]*)## Phase 4/.exec(text) ?? [];
      expect(phase3).toContain(`The ${listed} subagent: give it the task, its context and the output you expect`);
      expect(text).not.toMatch(/<[a-z-]+>/);
    }
  });
});

describe("the linter", () => {
  it("wants a heading, three phases in order and a table of errors [S2-TPL-02]", () => {
    expect(GOOD).toContain("\n# Dev Impl — Phase 2-4\n");
    expect(rules(GOOD)).toEqual([]);
    expect(
      rules(GOOD.replace("## Phase 3:", "## Phase 4:").replace(/## Phase 4:(?![\s\S]*## Phase 4:)/, "## Phase 3:")),
    ).toEqual(["structure"]);
    for (const [part, other] of [
      ["# Dev Impl — Phase 2-4", "# Dev Impl"],
      ["## Phase 2:", "## Before:"],
      ["## Phase 3:", "## Phase 4:"],
      ["## Error Handling", "## Errors"],
      ["| Scenario | Resolution |", "| If | Then |"],
    ] as const)
      expect(new Set(rules(GOOD.replace(part, other))), part).toEqual(new Set(["structure"]));
    expect(rules(GOOD.slice(GOOD.indexOf("# Dev")))).toEqual(["frontmatter"]);
  });

  it("says where a section is missing, empty, twice or out of place", () => {
    const found = (text: string) =>
      lintRoleSpec(text, { name: "dev-impl" }).faults.map(({ line, message }) => [text.split("\n")[line - 1], message]);
    const title = "# Dev Impl — Phase 2-4";
    const phase3 = "## Phase 3: Code Implementation";
    const errors = "\n## Error Handling\n\n| Scenario | Resolution |\n|---|---|\n| a | b |\n";
    const misplaced = "the sections are not in order: phases 2, 3 and 4, Error Handling";
    for (const hidden of [`\`\`\`md\n${phase3}\n\`\`\``, `<!--\n${phase3}\n-->`])
      expect(found(GOOD.replace(phase3, hidden)), hidden).toEqual([[title, "has no section '## Phase 3: <name>'"]]);
    expect(found(adding("## Phase 3: Again\n\nText."))).toEqual([
      ["## Phase 3: Again", "has more than one section '## Phase 3: <name>'"],
    ]);
    expect(found(`${GOOD}${errors}`)).toEqual([["## Error Handling", "has more than one section '## Error Handling'"]]);
    expect(found(adding("# Other — Phase 2-4"))).toEqual([
      ["# Other — Phase 2-4", "has more than one heading of level 1"],
    ]);
    expect(found(GOOD.replace(phase3, "### Phase 3: Code"))).toEqual([
      ["### Phase 3: Code", "the heading must be '## Phase 3: <name>'"],
    ]);
    expect(found(GOOD.replace(phase3, `${phase3}\n\n## More`))).toEqual([[phase3, "the section is empty"]]);
    expect(found(GOOD.replace(phase3, "## Phase 4: X").replace("## Phase 4: S", "## Phase 3: S"))).toEqual([
      ["## Phase 4: X", misplaced],
    ]);
    expect(found(GOOD.replace(/\| A required[\s\S]*$/, ""))).toEqual([["## Error Handling", "the table has no rows"]]);
    expect(found(adding("```md\nnot closed"))).toContainEqual([
      "```md",
      "the code block or comment is not closed, so that it hides what follows",
    ]);
  });

  it("wants the role to have the name of the file [S2-TPL-03]", () => {
    expect(rules(GOOD.replace("role: dev-impl\n", ""))).toEqual(["frontmatter"]);
    expect(lintRoleSpec(GOOD, { name: "qa-test" }).faults).toMatchObject([{ rule: "frontmatter", line: 2 }]);
  });

  it("wants prefix and inner_loop", () => {
    for (const line of ["prefix: IMPL\n", "inner_loop: false\n"])
      expect(rules(GOOD.replace(line, "")), line).toEqual(["frontmatter"]);
    expect(rules(GOOD.replace("prefix: IMPL", "prefix: impl"))).toEqual(["frontmatter"]);
  });

  it("takes subagents as a list, or none [S2-TPL-06]", () => {
    const having = (value: string) => GOOD.replace("subagents: [code-developer]", `subagents: ${value}`);
    const calling = (text: string, name: string) => text.replace("## Error", `Ask the ${name} subagent.\n\n## Error`);
    const without = GOOD.replace("subagents: [code-developer]\n", "").replaceAll(/^.*code-developer.*\n/gm, "");
    expect([rules(without), rules(GOOD), rules(having("explore"))]).toEqual([[], [], ["frontmatter"]]);
    expect(rules(calling(GOOD, "code-developer"))).toEqual([]);
    expect(rules(calling(without, "code-developer"))).toEqual(["subagents-by-name"]);
    expect(rules(calling(without, "explore"))).toEqual([]);
  });

  it("warns of subagents that the hall doesn't know [S2-RULE-08]", () => {
    const text = GOOD.replace("[code-developer]", "[code-developer, oracle]");
    const { faults, good } = lintRoleSpec(text, { name: "dev-impl" });
    expect(faults).toMatchObject([{ rule: "subagents-by-name", line: 5, severity: "warning" }]);
    expect(good?.fields.subagents).toEqual(["code-developer", "oracle"]);
  });

  it("wants a message for success and one for errors [S2-TPL-07] [S2-TPL-08] [S2-TPL-09]", () => {
    const messages = { success: "impl_complete", error: "error" };
    expect(lintRoleSpec(GOOD, { name: "dev-impl" }).good?.fields.message_types).toEqual(messages);
    for (const line of ["  success: impl_complete\n", "  error: error\n"])
      expect(rules(GOOD.replace(line, "")), line).toEqual(["frontmatter"]);
    expect(rules(GOOD.replace(/message_types:\n.*\n.*\n/, "message_types: done\n"))).toEqual(["frontmatter"]);
  });

  it("refuses phases 1 and 5 [S2-RULE-01]", () => {
    refuses("## Phase 1: Task Discovery", "phases-2-to-4");
    refuses("### Phase 5: Report", "phases-2-to-4");
    for (const line of ["   ## Phase 1: Task Discovery", "**Phase 5: Report**", "## Phase One", "## Task Discovery"])
      refuses(line, "phases-2-to-4");
    expect(rules(adding("Phase 5: Report\n---------------"))).toEqual(["phases-2-to-4"]);
    expect(rules(adding("### Phase 4.1: Numbers\n\nThe plan has a phase 1 and a phase 5."))).toEqual([]);
    expect(rules(adding("```md\n## Phase 1: Foundation\n```"))).toEqual([]);
  });

  it("refuses calls of the message bus [S2-RULE-02]", () => {
    for (const line of ["Call team_msg with the result.", "`mcp__hall__team_msg({})`", "Use SendMessage to tell it."])
      refuses(line, "no-bus-calls");
    expect(rules(adding("```\nteam_msg({})\n```"))).toEqual(["no-bus-calls"]);
  });

  it("refuses consensus handling [S2-RULE-03]", () => {
    for (const line of ["On consensus_blocked, stop.", "CONSENSUS_REACHED: go on"]) refuses(line, "no-consensus");
  });

  it("refuses steps of the inner loop [S2-RULE-04]", () => {
    refuses("Continue with 5-L.", "no-inner-loop");
    for (const line of ["## Phase 5-F: Final", "Go on with Phase 5L.", "Then 5\u2011L."])
      refuses(line, "no-inner-loop");
  });

  it("wants about 80 lines: warns above 100 and below 20, refuses above 120 [S2-RULE-05]", () => {
    const of = (lines: number) => adding("Text.\n".repeat(lines - GOOD.split("\n").length).trimEnd());
    const found = (text: string) =>
      lintRoleSpec(text, { name: "dev-impl" }).faults.map(({ rule, severity }) => [rule, severity]);
    expect([found(of(80)), found(of(110)), found(of(130))]).toEqual([
      [],
      [["length", "warning"]],
      [["length", "error"]],
    ]);
  });

  it("refuses pseudocode [S2-RULE-06]", () => {
    for (const line of [
      ...["if (tests.fail) {", "WHILE tests fail DO", "const result = run()", "function fix() {", "- IF it fails THEN"],
      ...["1. while (true) {", "for task in tasks:", "if rate < 95:", "result = run_tests(all)", "const { a } = b;"],
      ...["if tests fail then", "await run();", "return result;", "} else {", "REPEAT", "rate := passed / all"],
    ])
      refuses(line, "no-pseudocode");
    for (const line of [
      ...["If tests fail, run `npm test` again (at most twice).", "For each file in the plan:", "Return to the plan;"],
      ...["- if present: read it", "Read(<file>)", "Result: a = b, where it holds.", "For the API (v2):"],
    ])
      expect(rules(adding(line)), line).toEqual([]);
  });

  it("refuses placeholders that are not in angle brackets [S2-RULE-07]", () => {
    for (const line of ["Read {{file}} first.", "Read $FILE first.", "[TODO] Read it.", "Read {file}.", "Read %FILE%."])
      refuses(line, "placeholders");
    for (const line of ["Read <file> first.", "Call `/teams/{id}`.", "Return { path, findings[] }"])
      expect(rules(adding(line)), line).toEqual([]);
  });

  it("refuses subagents that are not listed, and how they are called", () => {
    for (const line of ["Ask the `oracle` subagent.", "Ask subagent 'oracle'.", "Ask the test-fix-agent subagent."])
      refuses(line, "subagents-by-name");
    refuses("Use spawn_subagent.", "subagents-by-name");
    expect(lintRoleSpec(adding("Set subagent_type to oracle."), { name: "dev-impl" }).good).toBeUndefined();
    const { faults, good } = lintRoleSpec(adding("Ask the oracle subagent."), { name: "dev-impl" });
    expect(faults).toMatchObject([{ rule: "subagents-by-name", severity: "warning" }]);
    expect(good).toBeDefined();
    for (const line of [
      "The same subagent does both.",
      "Delegate to the appropriate subagent.",
      "Retry the subagents.",
    ])
      expect(rules(adding(line)), line).toEqual([]);
  });

  it("takes the call of a listed subagent, as templates have it, with a warning", () => {
    const call = `Delegate to appropriate subagent based on task:
\`\`\`
Task({
  subagent_type: "code-developer",
  prompt: "## Task
- <task description>
## Expected Output
Return JSON summary: { artifact_path, summary, key_decisions[], warnings[] }"
})
\`\`\``;
    const { faults, good } = lintRoleSpec(adding(call), { name: "dev-impl" });
    expect(faults).toMatchObject([{ rule: "subagents-by-name", severity: "warning" }]);
    expect(good).toBeDefined();
  });

  it("refuses keys that would grant something, and a second frontmatter", () => {
    expect(rules(GOOD.replace("---\n", "---\ntools: [exec]\nhooks: {a: b}\n"))).toEqual(["no-rights", "no-rights"]);
    expect(rules(GOOD.replace("---\n", "---\nallowedTools: [exec]\nMcp_Servers: {}\n"))).toEqual([
      "no-rights",
      "no-rights",
    ]);
    expect(rules(GOOD.replace("  error: error", "  error: error\n  tools: [exec]"))).toEqual(["no-rights"]);
    expect(rules(adding("---\ntools: [exec]\n---"))).toContain("frontmatter");
    expect(rules(adding("---\nNote: the rest is optional.\n"))).toEqual([]);
  });

  it("refuses what is not text, and takes CRLF with a warning", () => {
    for (const text of ["", "\0\x01", "\ufffd"]) expect(rules(text)).toEqual(["encoding"]);
    expect(lintRoleSpec(GOOD.replaceAll("\n", "\r\n"), { name: "dev-impl" }).good).toBeDefined();
  });

  it("refuses what nobody sees, and sees through it", () => {
    refuses("Be \u{e0041}quick.", "encoding");
    refuses("Be \u202equick.", "encoding");
    expect(rules(adding("Call team\u200b_msg."))).toEqual(["encoding", "no-bus-calls"]);
    expect(rules(adding("Text.\r## Phase 5: Report"))).toEqual(["encoding"]);
    expect(rules(adding("Grüße, 日本語, 👩\u200d💻"))).toEqual([]);
  });

  it("refuses long lines without matching them", () => {
    for (const line of [`if () ${" ".repeat(90_000)}x`, "a-".repeat(45_000), `${" ".repeat(90_000)}x`])
      refuses(line, "length");
  });
});
