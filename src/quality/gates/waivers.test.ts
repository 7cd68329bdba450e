import { expect, it } from "vitest";
import { MemoryTrees } from "../../../test/fakes/memory-trees.ts";
import { unchangedBetween } from "./waivers.ts";

it("a waiver without a file counts for the same tree only, one with a file while that is the same", async () => {
  const trees = new MemoryTrees();
  const [before, after] = [trees.add({ a: "1", b: "1" }), trees.add({ a: "1", b: "2", c: "3" })];
  const isSame = unchangedBetween(trees, before, after);
  expect(await Promise.all(["a", "b", "c", "none", undefined].map(isSame))).toEqual([true, false, false, true, false]);
  expect(await unchangedBetween(trees, before, before)(undefined)).toBe(true);
});
