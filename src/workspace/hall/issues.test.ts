import { expect, it } from "vitest";
import { z } from "zod";
import { plainWords } from "../../contract/words/issue-words.ts";
import { describeIssue } from "./issues.ts";

const Document = z.strictObject({
  count: z.int().min(1).max(5).optional(),
  kind: z.enum(["one", "two"]).optional(),
  version: z.literal(1).optional(),
  is: z.boolean().optional(),
  list: z.array(z.string().min(1)).min(1).max(2).optional(),
  named: z.record(z.string().regex(/^[a-z]+$/, "must be a short lower-case name"), z.number()).optional(),
  address: z.url().optional(),
  at: z.iso.datetime().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  inner: z.strictObject({ must: z.string() }).optional(),
});

it.each<[object, string]>([
  [{ count: "many" }, "count: must be a number"],
  [{ count: 1.5 }, "count: must be a whole number"],
  [{ count: 0 }, "count: must be at least 1"],
  [{ count: 6 }, "count: must be at most 5"],
  [{ kind: "three" }, "kind: must be one of one, two"],
  [{ version: 2 }, "version: must be 1"],
  [{ is: "yes" }, "is: must be true or false"],
  [{ list: "a" }, "list: must be a list"],
  [{ list: [] }, "list: must not be empty"],
  [{ list: ["a", "b", "c"] }, "list: must have at most 2 entries"],
  [{ list: [""] }, "list.0: must not be empty"],
  [{ named: [] }, "named: must be an object"],
  [{ named: { "Not so!": 1 } }, "named.Not so!: is not a valid name: it must be a short lower-case name"],
  [{ named: { a: "b" } }, "named.a: must be a number"],
  [{ address: "nowhere" }, "address: has an invalid format"],
  [{ at: "noon" }, "at: must be a time such as 2026-01-31T12:00:00Z"],
  [{ either: true }, "either: must be text or a number"],
  [{ inner: null }, "inner: must be an object"],
  [{ inner: {} }, "inner.must: is required"],
  [{ other: 1 }, "other: is not a known key"],
])("%j is refused in plain words", (document, reason) => {
  expect(wordsFor(document).reason).toBe(reason);
});

it("says what a document has, except what is missing anyway", () => {
  expect(wordsFor({ kind: "three" }, true).reason).toBe('kind: must be one of one, two (it is "three")');
  expect(wordsFor({ inner: {} }, true).reason).toBe("inner.must: is required");
});

function wordsFor(document: object, isTold = false) {
  const { error } = Document.safeParse(document, { error: plainWords });
  if (error === undefined) throw new Error("the document is valid");
  return describeIssue(error, isTold ? document : undefined);
}
