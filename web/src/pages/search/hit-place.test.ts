import { expect, test } from "vitest";
import { KINDS, placeOfHit } from "./hit-place.ts";

test("a hit of a project leads to what was found, and only what has no page of its own leads nowhere", () => {
  const places = KINDS.map(({ kind }) => [kind, placeOfHit({ kind, id: "x", projectId: "shop" })]);
  expect(Object.fromEntries(places)).toMatchObject({
    task: { to: "/projects/$id/board", search: { task: "x" } },
    run: { to: "/runs/$runId", params: { runId: "x" } },
    artifact: { to: "/projects/$id/library/artifacts", search: { view: "x" } },
    context: { to: "/projects/$id/library/context", search: { view: "x" } },
    knowledge: { to: "/projects/$id/library/knowledge" },
    plan: { to: "/projects/$id" },
  });
  expect(placeOfHit({ kind: "run", id: "x", entry: 4 })).toMatchObject({ search: { view: "transcript", at: "e4" } });
  expect(placeOfHit({ kind: "knowledge", id: "x" })).toMatchObject({ to: "/knowledge" });
  expect(placeOfHit({ kind: "artifact", id: "x" })).toBeUndefined();
});
