import { expect, test } from "vitest";
import { ASKABLE_TOOLS, askedTools } from "../../../../src/contract/words/tool-names.ts";
import { askBoxes } from "./ask-boxes.ts";

const box = (title: string, ask: string[], inherited: string[] = []) =>
  askBoxes(ask, inherited).find((found) => found.title === title);

test("a box stands for all its tools, and says when only some of them ask", () => {
  expect(box("Changing files", ["exec", "write", "edit"])).toMatchObject({ isTicked: true, unticked: ["exec"] });
  expect(box("Changing files", ["edit"])).toMatchObject({
    ...{ isTicked: false, hint: "write, edit; now only edit", ticked: ["write", "edit"] },
  });
  expect(box("Using memory", ["memory_write", "exec"])).toMatchObject({
    ...{ isTicked: false, hint: "memory tools; now only memory_write", unticked: ["exec"] },
  });
});

test("what the role asks before can't be taken away by an assignment", () => {
  expect(box("Running commands", [], ["exec"])).toMatchObject({ isTicked: true, isInherited: true });
  expect(box("Changing files", ["edit"], ["write"])).toMatchObject({ isTicked: true, isInherited: false });
});

test("there is a box for every tool that can ask", () => {
  const all = askBoxes([], []).flatMap(({ ticked }) => askedTools(ticked));
  expect(all.sort()).toEqual(askedTools(ASKABLE_TOOLS).sort());
});
