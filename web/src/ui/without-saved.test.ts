import { expect, test } from "vitest";
import { withoutSaved } from "./without-saved.ts";

test("keeps what was typed while the rest was being saved", () => {
  const saved = { cycles: "5", score: "80" };
  expect(withoutSaved(saved, saved)).toEqual({});
  expect(withoutSaved({ ...saved, cycles: "", model: "x" }, saved)).toEqual({ cycles: "", model: "x" });
});
