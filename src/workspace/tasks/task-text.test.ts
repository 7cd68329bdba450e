import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import type { Criterion, TaskContext } from "../../contract/documents/task.ts";
import { editContext, editCriteria, parseContext, parseCriteria, renderContext, renderCriteria } from "./task-text.ts";

const none: TaskContext = { files: [], codeRefs: [], dependencies: [] };
const odd = fc.oneof(
  fc.string({ unit: "binary", minLength: 1 }),
  fc.string({
    unit: fc.constantFrom("`", '"', "\\", ",", " ", "a", "\n", "\r", "$", "-", ":", "\u2028"),
    minLength: 1,
  }),
);
const values = fc.array(
  odd.filter((text) => text.isWellFormed()),
  { maxLength: 4 },
);
const contexts = fc.record({ files: values, codeRefs: values, dependencies: values });

describe("the Context section", () => {
  it("has one line each for files, code and related tasks, and none for what is empty [S0-TF-04]", () => {
    const context = { files: ["src/a.ts", "b c.md"], codeRefs: ["a.ts:1-3"], dependencies: ["TASK-002", "TASK-003"] };
    expect(renderContext(context)).toBe(
      "- Files: `src/a.ts`, `b c.md`\n- Code: `a.ts:1-3`\n- Related: TASK-002, TASK-003",
    );
    expect(renderContext(none)).toBe("");
  });

  it("gives back whatever was put in [S0-TASK-06 S0-TASK-07 S0-TASK-08]", () => {
    fc.assert(
      fc.property(contexts, (context) => {
        expect(parseContext(renderContext(context))).toEqual(context);
        expect(renderContext(context).split("\n").length).toBeLessThanOrEqual(3);
      }),
    );
  });

  it("is read as people write it: without backticks, with other lines between, a label twice", () => {
    const section =
      "See below.\n- Files: src/a.ts, src/b c.ts ,`d.ts`\nand\n- Related: TASK-002\n- Files: e.ts\n- Code:";
    expect(parseContext(section)).toEqual({
      files: ["src/a.ts", "src/b c.ts", "d.ts", "e.ts"],
      codeRefs: [],
      dependencies: ["TASK-002"],
    });
  });

  it("keeps the other lines of a person when its own change", () => {
    const foreign = ["See below.", "", "  - a list", "- Filesystem: ext4"];
    fc.assert(
      fc.property(contexts, contexts, (before, after) => {
        const own = renderContext(before);
        const section = [foreign[0], ...(own === "" ? [] : [own]), ...foreign.slice(1)].join("\n");
        const edited = editContext(section, after);
        expect(parseContext(edited)).toEqual(after);
        const kept = edited.split("\n").filter((line) => line !== "" && foreign.includes(line));
        expect(kept).toEqual(foreign.filter((line) => line !== ""));
      }),
    );
  });

  it("changes a list where it stands, leaves the others as they were written, and puts a new one behind them", () => {
    const section = "Intro\n- Files: a.ts, b.ts\nbetween\n- Related: TASK-002\nend";
    const context = { files: ["a.ts", "b.ts"], codeRefs: [], dependencies: ["TASK-002"] };
    expect(editContext(section, context)).toBe(section);
    expect(editContext(section, { ...context, dependencies: ["TASK-003"] })).toBe(section.replace("002", "003"));
    expect(editContext(section, { ...context, files: [] })).toBe("Intro\nbetween\n- Related: TASK-002\nend");
    expect(editContext(section, { ...context, codeRefs: ["c"] })).toBe(section.replace("002", "002\n- Code: `c`"));
    expect(editContext("Only prose.", context)).toBe("- Files: `a.ts`, `b.ts`\n- Related: TASK-002\n\nOnly prose.");
    expect(editContext("", context)).toBe(renderContext(context));
  });

  it.each([
    ["an unclosed backtick", "- Files: `a, b"],
    ["an unclosed quote", '- Files: "a, b'],
    ["many commas", `- Files: ${",".repeat(50_000)}`],
    ["many quotes", `- Files: ${'"'.repeat(50_001)}`],
    ["many backslashes", `- Files: "${"\\".repeat(50_001)}`],
  ])("is read in a moment even with %s", (_name, section) => {
    const computed = cpuTimer();
    expect(Array.isArray(parseContext(section).files)).toBe(true);
    expect(computed()).toBeLessThan(1_000);
  });
});

describe("the Acceptance Criteria section", () => {
  const texts = fc
    .string({ unit: fc.constantFrom("a", " ", "[", "]", "x", "-", "$", "&", "\\", "é", "🚀"), minLength: 1 })
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const criteria: fc.Arbitrary<Criterion[]> = fc.array(fc.record({ text: texts, done: fc.boolean() }), {
    maxLength: 6,
  });

  it("is a list of checkboxes [S0-TF-04 S4-TASK-03]", () => {
    const list = [
      { text: "one", done: false },
      { text: "two", done: true },
    ];
    expect(renderCriteria(list)).toBe("- [ ] one\n- [x] two");
    expect(parseCriteria("- [ ] one\n- [x] two")).toEqual(list);
  });

  it("gives back whatever was put in", () => {
    fc.assert(
      fc.property(criteria, (list) => {
        expect(parseCriteria(renderCriteria(list))).toEqual(list);
      }),
    );
  });

  it("is read as people write it: other bullets, indents, a capital X, and prose between", () => {
    const section = "Intro\n* [X] star\n  + [ ] nested\n- [y] no box\n-[ ] none either\n- [ ]\n- [x]  spaced ";
    expect(parseCriteria(section)).toEqual([
      { text: "star", done: true },
      { text: "nested", done: false },
      { text: "spaced", done: true },
    ]);
  });

  it("changes only the boxes that change, and keeps bullets, indents and prose", () => {
    const section = "Intro\n* [ ] one\n  + [X] two\n  a note on two\n- [ ] three\nend";
    const [one, two, three] = parseCriteria(section) as [Criterion, Criterion, Criterion];
    expect(editCriteria(section, [{ ...one, done: true }, two, three])).toBe(section.replace("* [ ]", "* [x]"));
    expect(editCriteria(section, [one, two, three])).toBe(section);
    expect(editCriteria(section, [one, two])).toBe("Intro\n* [ ] one\n  + [X] two\n  a note on two\nend");
    expect(editCriteria(section, [one, two, three, { text: "four", done: false }])).toBe(
      section.replace("three\n", "three\n- [ ] four\n"),
    );
    expect(editCriteria("", [one])).toBe("- [ ] one");
    expect(editCriteria("Only prose.", [one])).toBe("Only prose.\n\n- [ ] one");
    expect(editCriteria(section, [one, three])).toBe("Intro\n* [ ] one\n  a note on two\n- [ ] three\nend");
    expect(editCriteria(section, [{ ...one, text: "uno" }, two, three])).toBe(section.replace("one", "uno"));
    expect(editCriteria(section, [])).toBe("Intro\n  a note on two\nend");
  });

  it("tells after any change exactly the new list, with the prose untouched", () => {
    const prose = ["Intro", "", "  note"];
    fc.assert(
      fc.property(criteria, criteria, (before, after) => {
        const boxes = before.map((criterion) => renderCriteria([criterion]));
        const section = [prose[0], ...boxes.flatMap((box) => [box, prose[2]]), prose[1], prose[2]].join("\n");
        const edited = editCriteria(section, after);
        expect(parseCriteria(edited)).toEqual(after);
        expect(edited.split("\n").filter((line) => line === prose[2])).toHaveLength(before.length + 1);
      }),
    );
  });
});
