import { expect, it } from "vitest";
import type { Statement } from "../../contract/documents/knowledge.ts";
import { stillTaught } from "./taught.ts";

const told = (id: string) => ({ id, text: `Lesson ${id}.`, confirmed: false });
const known = (id: string, status: Statement["status"]) => ({ id, text: `Lesson ${id}.`, status }) as Statement;

it("tells a team no longer what a person removed since it formed, and tells what was confirmed as such", () => {
  const statements = [known("a", "pending"), known("b", "accepted")];
  const knowledge = { list: () => ({ statements, total: 2 }) };
  expect(stillTaught(knowledge, "shop", ["a", "b", "gone"].map(told))).toEqual([
    told("a"),
    { ...told("b"), confirmed: true },
  ]);
});
