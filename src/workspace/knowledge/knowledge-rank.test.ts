import { describe, expect, it } from "vitest";
import { askedWords, byDate, ranked, termIndexOf } from "./knowledge-rank.ts";

const pageOf = (...lines: [text: string, date?: string][]) => {
  const items = lines.map(([text, date], at) => ({ id: `s-${at}`, text, ...(date === undefined ? {} : { date }) }));
  return { items, terms: termIndexOf(items) };
};
const order = (pages: ReturnType<typeof pageOf>[], question: string) =>
  ranked(pages, askedWords(question)).map(({ item }) => item.text);

describe("statements are ranked", () => {
  it("by how many of the words they have, rare ones counting more, whatever case, marks and endings", () => {
    const page = pageOf(["Pages are cached"], ["Tests of the café run nightly"], ["Pages have tests"], ["Pages"]);
    expect(order([page], "TESTING the Cafe page")).toEqual([
      "Tests of the café run nightly",
      "Pages have tests",
      "Pages are cached",
      "Pages",
    ]);
  });

  it("newest first where they match alike or not at all, those without a day last", () => {
    const page = pageOf(["Old pnpm", "2020-01-01"], ["New pnpm", "2026-01-01"], ["No day"], ["Some day", "2025-01-01"]);
    expect(order([page], "pnpm")).toEqual(["New pnpm", "Old pnpm", "Some day", "No day"]);
  });

  it("over several pages together, and in the same order each time", () => {
    const pages = [pageOf(["a b", "2026-01-01"], ["b c"]), pageOf(["c d", "2026-01-02"], ["d e"])];
    expect(order(pages, "c")).toEqual(["c d", "b c", "a b", "d e"]);
    expect(order(pages, "c")).toEqual(order(pages, "c"));
  });

  it("by words that tell something, unless there are no others", () => {
    expect(askedWords("How is the build to be used with C++?")).toEqual(["how", "build", "used", "c++"]);
    expect(askedWords("to be or not to be")).toEqual(["to", "be", "or", "not"]);
  });

  it("by the beginning of the last word, where the question may not be finished", () => {
    const page = pageOf(["Deployments wait"], ["Something else"]);
    const scores = ranked([page], askedWords("depl"), { begun: true }).map(({ score }) => score > 0);
    expect(scores).toEqual([true, false]);
  });

  it("by day, then by id", () => {
    const item = (id: string, date?: string) => ({ id, text: "", ...(date === undefined ? {} : { date }) });
    const sorted = [item("b"), item("a"), item("c", "2026-01-01"), item("d", "2026-02-01")].sort(byDate);
    expect(sorted.map(({ id }) => id)).toEqual(["d", "c", "a", "b"]);
  });
});
