import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trimBlankLines } from "../../contract/words/text.ts";
import { readBody, writeSection, writeTitle } from "./sections.ts";

const known = ["Description", "Context", "Acceptance Criteria", "Notes"] as const;

const TASK = `
# Fix the login

A word before.

## Description
It fails.

### Steps

1. Log in

## Acceptance Criteria

- [ ] one

## Own heading

mine

## notes  
last
`;

describe("reading a body", () => {
  it("divides it at known headings, whatever their case, and at no others", () => {
    const body = readBody(TASK, known);
    expect(body.title).toBe("Fix the login");
    expect(body.preamble).toBe("A word before.");
    expect([...body.sections]).toEqual([
      ["Description", "It fails.\n\n### Steps\n\n1. Log in"],
      ["Acceptance Criteria", "- [ ] one\n\n## Own heading\n\nmine"],
      ["Notes", "last"],
    ]);
  });

  it("reads CRLF as LF", () => {
    expect(readBody(TASK.replaceAll("\n", "\r\n"), known)).toEqual(readBody(TASK, known));
  });

  it("takes the title only from before the first section", () => {
    expect(readBody("text\n\n## Notes\n# not a title\n", known)).toEqual({
      title: undefined,
      preamble: "text",
      sections: new Map([["Notes", "# not a title"]]),
    });
  });

  it("keeps what stands before the title", () => {
    expect(readBody("one\n# T\ntwo\n# U\n", known)).toMatchObject({ title: "T", preamble: "one\n\ntwo\n# U" });
  });

  it("joins a section that is there twice", () => {
    expect(readBody("## Notes\na\n## Context\nb\n## Notes\nc", known).sections.get("Notes")).toBe("a\n\nc");
  });

  it("finds nothing in an empty body", () => {
    expect(readBody("", known)).toEqual({ title: undefined, preamble: "", sections: new Map() });
  });
});

describe("writing a section", () => {
  it.each<[string, string, string, string, string]>([
    [
      "replaces the text and keeps the blank lines",
      TASK,
      "Acceptance Criteria",
      "- [x] one",
      TASK.replace("- [ ] one\n\n## Own heading\n\nmine", "- [x] one"),
    ],
    ["keeps the heading as it was written", "## notes  \nold", "Notes", "new", "## notes  \nnew"],
    ["fills an empty section", "## Context\n## Notes\n", "Context", "x", "## Context\nx\n## Notes\n"],
    ["fills one at the very end", "## Notes", "Notes", "x", "## Notes\nx\n"],
    ["empties a section", "## Context\n\nx\n\n## Notes\ny\n", "Context", "", "## Context\n\n## Notes\ny\n"],
    [
      "inserts in the known order",
      "# T\n\n## Description\nd\n\n## Notes\nn\n",
      "Context",
      "c",
      "# T\n\n## Description\nd\n\n## Context\nc\n\n## Notes\nn\n",
    ],
    [
      "appends where nothing known comes later",
      "# T\n\n## Description\nd",
      "Notes",
      "n",
      "# T\n\n## Description\nd\n\n## Notes\nn\n",
    ],
    ["starts an empty body", "", "Notes", "n", "\n## Notes\nn\n"],
    ["does not add an empty section", "# T\n", "Notes", " \n\n", "# T\n"],
    [
      "merges a section that is there twice",
      "## Notes\na\n## Context\nb\n## Notes\nc\n",
      "Notes",
      "d",
      "## Notes\nd\n## Context\nb\n",
    ],
    [
      "changes nothing when the text is equal",
      "## Notes\r\n\r\n\r\nx\r\ny",
      "notes",
      "x\ny\n",
      "## Notes\r\n\r\n\r\nx\r\ny",
    ],
    ["writes the body's own line ends", "# T\r\n", "Notes", "a\nb", "# T\r\n\r\n## Notes\r\na\r\nb\r\n"],
    [
      "escapes what would be a known heading",
      "",
      "Notes",
      "## Context\n\\## notes\n## Other",
      "\n## Notes\n\\## Context\n\\\\## notes\n## Other\n",
    ],
  ])("%s", (_name, body, name, content, expected) => {
    expect(writeSection(body, { name, content, known })).toBe(expected);
  });

  it("goes behind the sections named, when one of them is there", () => {
    const edit = { name: "Description", content: "d", known, after: ["Context"] };
    expect(writeSection("## Context\nc\n\n## Notes\nn\n", edit)).toBe(
      "## Context\nc\n\n## Description\nd\n\n## Notes\nn\n",
    );
    expect(writeSection("## Notes\nn\n", edit)).toBe("\n## Description\nd\n\n## Notes\nn\n");
  });
});

describe("writing a title", () => {
  it.each<[string, string, string, string]>([
    ["replaces it", "\n# Old \r\ntext\n# Old\n", "New", "\n# New\r\ntext\n# Old\n"],
    ["changes nothing when it is equal", "\n#  Same  \n", "Same", "\n#  Same  \n"],
    ["puts one on top of text", "text\n", "T", "\n# T\n\ntext\n"],
    ["puts one on top of sections, whose lines are not titles", "\n## Notes\n# no\n", "T", "\n# T\n\n## Notes\n# no\n"],
    ["starts an empty body", "", "T", "\n# T\n"],
    ["makes one line of it", "", " a\r\nb ", "\n# a  b\n"],
    ["does not write an empty one", "x", " ", "x"],
  ])("%s", (_name, body, title, expected) => {
    expect(writeTitle(body, title)).toBe(expected);
  });
});

describe("any body", () => {
  const line = fc.oneof(
    fc.constantFrom("", " ", "text", "# Title", "#", "# ", "## Other", "---", "*end*", "```", "\u00a0"),
    fc.constantFrom(
      "## Description",
      "## context",
      "##  Notes",
      "## Notes \t",
      "\\## Notes",
      "\\\\## NOTES",
      "## Notes x",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("a\r", "\r", "x\ry", "## Notes\r\r", "\\## Context\r"),
  );
  const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
  const body = fc.tuple(text, fc.boolean()).map(([lines, crlf]) => (crlf ? lines.replaceAll("\n", "\r\n") : lines));
  const name = fc.constantFrom(...known);
  const plain = (content: string) =>
    trimBlankLines(
      content
        .split("\n")
        .map((one) => one.replace(/(?<!\r)\r+$/, ""))
        .join("\n"),
    );

  it("gives back the section that was written, and every other part as it was", () => {
    fc.assert(
      fc.property(body, name, text, (before, section, content) => {
        const was = readBody(before, known);
        const is = readBody(writeSection(before, { name: section, content, known }), known);
        const expected = new Map(was.sections);
        if (plain(content) !== "" || was.sections.has(section)) expected.set(section, plain(content));
        expect(is.title).toBe(was.title);
        expect(is.preamble).toBe(was.preamble);
        expect(Object.fromEntries(is.sections)).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 3_000 },
    );
  });

  it("keeps every byte outside the section", () => {
    fc.assert(
      fc.property(body, name, text, (before, section, content) => {
        const after = writeSection(before, { name: section, content, known });
        const parts = before.split(
          /(?<=\n|^)(?=## (?:description|context|acceptance criteria|notes)[^\S\n]*(?:\n|$))/i,
        );
        const isOwn = (part: string) => part.split("\n")[0]?.trimEnd().toLowerCase() === `## ${section.toLowerCase()}`;
        let from = 0;
        for (const part of parts.filter((one) => !isOwn(one))) {
          const at = after.indexOf(part, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("gives back the title that was written, and leaves the sections alone", () => {
    const title = fc.string({ unit: "binary", minLength: 1 }).map((raw) => raw.replace(/[\r\n]/g, " ").trim());
    fc.assert(
      fc.property(
        body,
        title.filter((one) => one !== ""),
        (before, next) => {
          const is = readBody(writeTitle(before, next), known);
          expect(is.title).toBe(next);
          expect(is.sections).toEqual(readBody(before, known).sections);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
