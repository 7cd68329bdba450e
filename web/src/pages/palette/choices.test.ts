import { Folder } from "lucide-react";
import { expect, test } from "vitest";
import { type Choice, choicesAtFirst, choicesFor } from "./choices.ts";

const choice = (group: string, title: string): Choice => ({
  id: `${group} ${title}`,
  group,
  title,
  icon: Folder,
  act: () => {},
});

const projects = Array.from({ length: 1_000 }, (_, at) => choice("Projects", `Project ${at}`));
const pages = [choice("Go to", "Costs"), choice("Go to", "Settings")];
const shown = (groups: ReturnType<typeof choicesFor>) => groups.map(({ title, choices }) => [title, choices.length]);

test("what was chosen lately comes first and only once, and a thousand projects do not drown the pages", () => {
  const groups = choicesAtFirst([...pages, ...projects], ["Projects Project 7", "gone", "Go to Costs"]);
  expect(groups[0]).toMatchObject({ title: "Recent", choices: [{ title: "Project 7" }, { title: "Costs" }] });
  expect(shown(groups)).toEqual([
    ["Recent", 2],
    ["Go to", 1],
    ["Projects", 6],
  ]);
});

test("the group with the best fit comes first", () => {
  const groups = choicesFor("costs", [choice("Projects", "Shop costs overview"), ...pages]);
  expect(groups.map(({ title }) => title)).toEqual(["Go to", "Projects"]);
  expect(shown(choicesFor("project", projects))).toEqual([["Projects", 6]]);
});
