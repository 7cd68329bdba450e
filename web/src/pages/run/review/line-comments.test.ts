import { expect, test } from "vitest";
import { requestedIn } from "./line-comments.ts";

const files = [{ path: "src/a b.ts" }, { path: "c.ts" }];

test.each([
  ["Do it better.", { feedback: "Do it better.", comments: [] }],
  [
    "Good.\nsrc/a b.ts:12 compare it\nwith care\n\nAnd test it.",
    { feedback: "Good.\nAnd test it.", comments: [{ file: "src/a b.ts", line: 12, text: "compare it\nwith care" }] },
  ],
  [
    "c.ts:1 (removed) why?\nc.ts:2 \nsee above",
    {
      feedback: "",
      comments: [
        { file: "c.ts", line: 1, text: "(removed) why?" },
        { file: "c.ts", line: 2, text: "see above" },
      ],
    },
  ],
  ["other.ts:1 x\nc.ts:0 y\nc.ts:x z", { feedback: "other.ts:1 x\nc.ts:0 y\nc.ts:x z", comments: [] }],
])("%j", (text, expected) => {
  const { feedback, comments } = requestedIn(text, files);
  expect({ feedback: feedback.replaceAll(/\n+/g, "\n"), comments }).toEqual(expected);
});
