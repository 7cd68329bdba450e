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
  });

  it("refuses calls of the message bus [S2-RULE-02]", () => {
    refuses("Call team_msg with the result.", "no-bus-calls");
  });

  it("refuses consensus handling [S2-RULE-03]", () => refuses("On consensus_blocked, stop.", "no-consensus"));

  it("refuses steps of the inner loop [S2-RULE-04]", () => {
    refuses("Continue with 5-L.", "no-inner-loop");
    refuses("## Phase 5-F: Final", "no-inner-loop");
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
    for (const line of ["if (tests.fail) {", "WHILE tests fail DO", "const result = run()", "function fix() {"])
      refuses(line, "no-pseudocode");
    expect(rules(adding("If tests fail, run `npm test` again (at most twice)."))).toEqual([]);
  });

  it("refuses placeholders that are not in angle brackets [S2-RULE-07]", () => {
    for (const line of ["Read {{file}} first.", "Read $FILE first.", "[TODO] Read it."]) refuses(line, "placeholders");
    expect(rules(adding("Read <file> first."))).toEqual([]);
  });

  it("refuses subagents that are not listed, and how they are called", () => {
    refuses("Ask the oracle subagent.", "subagents-by-name");
    refuses("Set subagent_type to oracle.", "subagents-by-name");
  });

  it("refuses keys that would grant something, and a second frontmatter", () => {
    expect(rules(GOOD.replace("---\n", "---\ntools: [exec]\nhooks: {a: b}\n"))).toEqual(["no-rights", "no-rights"]);
    expect(rules(adding("---\ntools: [exec]\n---"))).toContain("frontmatter");
  });

  it("refuses what is not text, and takes CRLF with a warning", () => {
    for (const text of ["", "\0\x01", "\ufffd"]) expect(rules(text)).toEqual(["encoding"]);
    expect(lintRoleSpec(GOOD.replaceAll("\n", "\r\n"), { name: "dev-impl" }).good).toBeDefined();
  });

  it("refuses long lines without matching them", () => {
    for (const line of [`if () ${" ".repeat(90_000)}x`, "a-".repeat(45_000), `${" ".repeat(90_000)}x`])
      refuses(line, "length");
  });
});
