import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { DEFAULT_DECISIONS } from "../../contract/documents/decision-policy.ts";
import { Files } from "../../store/files/files.ts";
import { DECISIONS_FILE, Decisions, decisionsText } from "./decisions.ts";

function withFile(text?: string) {
  const root = temporaryFolder();
  mkdirSync(join(root, "policies"));
  const write = (content: string) => writeFileSync(join(root, DECISIONS_FILE), content);
  if (text !== undefined) write(text);
  return { decisions: new Decisions(new Files(root)), write };
}

describe("policies/decisions.yml", () => {
  it("has twelve rules unless it says otherwise: four for each tier", () => {
    const { decisions } = withFile();
    expect(decisions.policy()).toEqual(DEFAULT_DECISIONS);
    const count = (tier: string) => decisions.policy().rules.filter(({ decides }) => decides === tier).length;
    expect(["agent", "main", "person"].map(count)).toEqual([4, 4, 4]);
    expect(withFile(decisionsText()).decisions.policy()).toEqual(DEFAULT_DECISIONS);
  });

  const linesOf = () => withFile().decisions.text().split("\n");

  it("lets agents decide what is theirs [S4-DM-01 S4-DM-02 S4-DM-03 S4-DM-04]", () => {
    expect(linesOf()[0]).toBe(
      "Decide yourself: naming, structure and patterns of the implementation; following recorded conventions; bug fixes with a clear root cause; test strategy within existing patterns.",
    );
  });

  it("has agents escalate what others decide [S4-DM-05 S4-DM-06 S4-DM-07 S4-DM-08]", () => {
    expect(linesOf()[1]).toBe(
      "Escalate: new dependencies or tools; patterns that contradict conventions; work that affects other projects; scope questions.",
    );
  });

  it("reserves four kinds of decisions for the person [S4-DM-09 S4-DM-10 S4-DM-11 S4-DM-12]", () => {
    expect(linesOf().slice(2)).toEqual([
      "Only the person decides: changes of direction; new initiatives or a much larger scope; trade-offs without a clear winner; access, credentials and accounts.",
    ]);
  });

  it("applies on save, and falls back to the defaults while it is broken", () => {
    const { decisions, write } = withFile("path: [main]\nrules:\n  - { id: money, decides: person, what: spending }\n");
    expect(decisions.policy()).toEqual({
      path: ["main"],
      rules: [{ id: "money", decides: "person", what: "spending" }],
    });
    expect(decisions.text()).toBe("Only the person decides: spending.");
    write("path: [main]\nrules:\n  - { id: money, decides: everyone, what: spending }\n");
    expect(decisions.policy()).toEqual(DEFAULT_DECISIONS);
    expect(decisions.problems()).toMatchObject([{ file: DECISIONS_FILE, line: 3, severity: "invalid" }]);
    write("path: [main");
    expect(decisions.problems()).toMatchObject([{ reason: expect.stringContaining("is not YAML") }]);
    write("path: [main]\n");
    expect([decisions.policy().path, decisions.problems()]).toEqual([["main"], []]);
  });
});
