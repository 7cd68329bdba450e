import { describe, expect, it } from "vitest";
import { TASK_TYPES } from "../contract/documents/task-status.ts";
import { inferTaskType, isCode, judgedType } from "./task-type.ts";

describe("the type of a task", () => {
  it.each([
    ["Add a cart", "", "feature"],
    ["Let people pay later", "", "feature"],
    ["Add search to the shop", "", "feature"],
    ["Add a documentation generator", "", "feature"],
    ["Fix the crash on an empty cart", "", "bug"],
    ["Find and fix the broken link", "", "bug"],
    ["Totals are off", "Steps to reproduce: add two items.", "bug"],
    ["fix(cart): round totals", "", "bug"],
    ["Constructor: fix the crash without a cart", "", "bug"],
    ["Refactor the parser", "", "refactor"],
    ["Rename Cart to Basket", "", "refactor"],
    ["Add tests for the cart", "", "test"],
    ["Increase test coverage of the parser", "", "test"],
    ["Document the API", "", "docs"],
    ["Update the README", "", "docs"],
    ["docs: explain carts", "", "docs"],
    ["Fix a typo in the README", "", "docs"],
    ["Research payment providers", "", "research"],
    ["Investigate why totals differ", "", "research"],
    ["Research caching", "Then implement the best one.", "feature"],
    ["Plan the next release", "", "planning"],
    ["Find all uses of the old API", "", "search"],
    ["Explore the code of the shop", "", "explore"],
    ["Review the payment module", "", "review"],
    ["chore: bump versions", "", "other"],
    ["Carts", "", "other"],
    ["", "", "other"],
  ] as const)("[S1-TT-01] [S1-TT-03] is inferred from '%s' (%s): %s", (title, description, type) => {
    expect(inferTaskType(title, description)).toBe(type);
  });

  it("[S1-TT-02] skips the gates for research, planning, search, explore and docs alone", () => {
    expect(TASK_TYPES.filter((type) => !isCode(type)).toSorted()).toEqual(
      ["docs", "explore", "planning", "research", "search"].toSorted(),
    );
  });

  it("[S1-TT-03] is the one that was set, and is inferred where none was", () => {
    const task = (type: "docs" | "other", title: string) => ({ type, title, description: "" });
    expect(judgedType(task("docs", "Fix the cart"), ["README.md"])).toBe("docs");
    expect(judgedType(task("other", "Fix the cart"), ["src/cart.ts"])).toBe("bug");
    expect(judgedType(task("other", "Update the README"), ["README.md"])).toBe("docs");
    expect(judgedType(undefined, ["src/cart.ts"])).toBe("other");
  });

  it("does not keep changed code from being judged, guessed or set", () => {
    const docs = { type: "docs" as const, title: "Describe the cart", description: "" };
    expect(judgedType(docs, ["README.md", "src/cart.ts"])).toBe("other");
    const task = { type: "other" as const, title: "Compare prices with the catalog", description: "" };
    expect(judgedType(task, ["notes.md"])).toBe("research");
    expect(judgedType(task, ["notes.md", "src/prices.py"])).toBe("other");
  });
});
