import { join } from "node:path";
import fc from "fast-check";
import { it } from "vitest";
import { joinPath } from "./join-path.ts";

const segment = fc.constantFrom("", ".", "..", "a", ".b", "..c", "d.", "e f", "…");

it("joins paths as node:path does", () => {
  const path = fc.array(segment, { maxLength: 5 }).map((segments) => segments.join("/"));
  const root = fc.constantFrom("/", "/work", "/work/space one");
  const isSame = fc.property(root, path, (above, below) => joinPath(above, below) === join(above, below));
  fc.assert(isSame, { numRuns: 1_000 });
});
