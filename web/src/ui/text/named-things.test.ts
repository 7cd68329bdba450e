import { expect, test } from "vitest";
import { linkNamedThings, partsOf } from "./named-things.ts";

const RUN = "run-01kvqxv2db0000fzk6s0p6";

test("runs are known by their ids, tasks only together with a project", () => {
  expect(partsOf(`See ${RUN}, TASK-012 and shop/TASK-1234.`, undefined)).toEqual([
    { text: "See " },
    { text: RUN, href: `/runs/${RUN}` },
    { text: ", TASK-012 and " },
    { text: "shop/TASK-1234", href: "/projects/shop/board?task=TASK-1234" },
    { text: "." },
  ]);
  expect(partsOf("TASK-012 is done", "shop")[0]).toEqual({
    text: "TASK-012",
    href: "/projects/shop/board?task=TASK-012",
  });
});

test.each(["MYTASK-012", "TASK-012-x", "run-short", "https://site.example/TASK-012", "TASK-01"])(
  "%s names nothing",
  (text) => {
    expect(partsOf(text, "shop")).toEqual([{ text }]);
  },
);

test("what is a link or a block of code already stays as it is", () => {
  const link = { type: "link", url: "https://site.example", children: [{ type: "text", value: "TASK-012" }] };
  const code = { type: "code", value: "TASK-012" };
  const inline = { type: "inlineCode", value: "TASK-012" };
  const tree = { type: "root", children: [{ type: "paragraph", children: [link, inline] }, code] };
  linkNamedThings({ project: "shop" })(tree);
  expect(tree).toEqual({
    type: "root",
    children: [
      {
        type: "paragraph",
        children: [link, { type: "link", url: "/projects/shop/board?task=TASK-012", children: [inline] }],
      },
      code,
    ],
  });
});
