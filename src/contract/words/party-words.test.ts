import { expect, test } from "vitest";
import { originText, partyText } from "./party-words.ts";

test("the person is addressed, and others are named", () => {
  expect(["person", "main", "hall", "run:run-1", "client:ci"].map(partyText)).toEqual([
    ...["you", "the main agent", "Guildhall", "run-1", "client ci"],
  ]);
  expect(["answered by person", "answered by main agent", "shop/TASK-001"].map(originText)).toEqual([
    ...["answered by you", "answered by main agent", "shop/TASK-001"],
  ]);
});
