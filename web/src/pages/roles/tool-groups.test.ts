import { expect, test } from "vitest";
import { toolBoxes } from "./tool-groups.ts";

const box = (title: string, skills: string[]) => toolBoxes(skills).find((found) => found.title === title);

test("what every agent can do is ticked and locked, whatever the role names", () => {
  for (const title of ["Notify you", "Report a result"])
    expect(box(title, [])).toMatchObject({ isTicked: true, lockedBy: "always" });
  expect(toolBoxes([]).filter(({ isTicked }) => isTicked)).toHaveLength(2);
});

test("what another right brings along is ticked and locked with its name", () => {
  expect(box("Read files", ["exec"])).toMatchObject({ isTicked: true, lockedBy: "with exec" });
  expect(box("Run commands", ["exec"])).toMatchObject({ isTicked: true, unticked: [] });
  expect(box("Run commands", ["exec"])?.lockedBy).toBeUndefined();
});

test("a name that stands for others is as good as all of them, and some of them are named", () => {
  expect(box("Read files", ["read"])).toMatchObject({ isTicked: true, unticked: [] });
  expect(box("Use memory", ["memory"])).toMatchObject({ isTicked: true, unticked: [], only: [] });
  expect(box("Use memory", ["memory_read", "my-pack"])).toMatchObject({
    isTicked: false,
    only: ["memory_read"],
    ticked: ["my-pack", "memory"],
    unticked: ["my-pack"],
  });
  expect(box("Use knowledge", ["knowledge_search", "knowledge_add"])).toMatchObject({ isTicked: true });
});
