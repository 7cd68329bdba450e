import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { colored, plain } from "./paint.ts";
import { type Column, fitWidths, textTable } from "./text-table.ts";
import { textWidth } from "./text-width.ts";

interface Row {
  id: string;
  title: string;
  role?: string;
}

const columns: Column<Row>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "ROLE", text: ({ role }) => role ?? "" },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
];

describe("textTable", () => {
  it("lines up columns by what is seen and leaves out a column without text", () => {
    const rows = [
      { id: "🚀", title: "Start" },
      { id: "TASK-002", title: "日本語" },
    ];
    expect(textTable(columns, rows, { width: undefined, paint: plain })).toBe(
      ["ID        TITLE", "🚀        Start", "TASK-002  日本語"].join("\n"),
    );
  });

  it("cuts the widest text column to fit the terminal", () => {
    const rows = [{ id: "TASK-001", role: "dev", title: "A title that is far too long for it" }];
    expect(textTable(columns, rows, { width: 30, paint: plain }).split("\n")[1]).toBe("TASK-001  dev   A title that …");
  });

  it("leaves out what can be missed, the sparest first, before an id is cut", () => {
    const wide: Column<Row>[] = [
      { title: "ID", text: ({ id }) => id },
      { title: "ROLE", text: ({ role }) => role ?? "", spare: 1 },
      { title: "KIND", text: () => "feature", spare: 2 },
      { title: "TITLE", text: ({ title }) => title, flexible: true },
    ];
    const rows = [{ id: "TASK-001", role: "backend", title: "A title that is far too long for it" }];
    const titles = (width: number) => textTable(wide, rows, { width, paint: plain }).split("\n")[0]?.split(/ +/);
    expect(titles(48)).toEqual(["ID", "ROLE", "KIND", "TITLE"]);
    expect(titles(47)).toEqual(["ID", "ROLE", "TITLE"]);
    expect(titles(38)).toEqual(["ID", "TITLE"]);
    expect(textTable(wide, rows, { width: 20, paint: plain })).toContain("TASK-001  A title t…");
  });

  it("shows control characters of data as signs", () => {
    const rows = [{ id: "1", title: "a\u001b[2Jb\nc" }];
    expect(textTable(columns, rows, { width: undefined, paint: plain })).toContain("a␛[2Jb␊c");
  });

  it("colours what is seen without changing the layout", () => {
    const rows = [{ id: "1", title: "one" }];
    const painted = textTable(columns, rows, { width: 40, paint: colored });
    expect(painted).toContain("\u001b[1m1 \u001b[22m");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours are what is taken out here
    expect(painted.replace(/\u001b\[\d+m/g, "")).toBe(textTable(columns, rows, { width: 40, paint: plain }));
  });

  it("fits any texts into any sensible width", () => {
    const row = fc.record({
      id: fc.string({ unit: "grapheme" }),
      title: fc.string({ unit: "binary" }),
      role: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 10, max: 120 }), (rows, width) => {
        for (const line of textTable(columns, rows, { width, paint: plain }).split("\n")) {
          expect(textWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

describe("fitWidths", () => {
  it("takes from the widest flexible column first, so that they end alike", () => {
    expect(fitWidths([8, 30, 40], [false, true, true], 52)).toEqual([8, 20, 20]);
  });

  it("takes from other columns only when the flexible ones are slim", () => {
    expect(fitWidths([20, 40], [false, true], 24)).toEqual([11, 11]);
  });

  it("leaves everything as it is where nothing has to fit", () => {
    expect(fitWidths([200, 400], [false, true], undefined)).toEqual([200, 400]);
  });
});
