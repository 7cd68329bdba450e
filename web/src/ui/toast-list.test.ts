import { expect, test } from "vitest";
import { type Toast, withToast } from "./toast-list.ts";

const said = (...titles: string[]) =>
  titles.reduce<Toast[]>(
    (toasts, title, id) => withToast(toasts, { id, title, tone: title.startsWith("!") ? "bad" : "good" }),
    [],
  );
const shown = (toasts: Toast[]) => toasts.map(({ title, times }) => (times > 1 ? `${title} ${times}` : title));

test("the same words stand once, with how often they were said, and last as long as the last of them", () => {
  const toasts = said("saved", "moved", "saved", "saved");
  expect(shown(toasts)).toEqual(["moved", "saved 3"]);
  expect(toasts.at(-1)?.id).toBe(3);
});

test("there are at most three, and a failure outlasts what went well", () => {
  expect(shown(said("a", "b", "c", "d"))).toEqual(["b", "c", "d"]);
  expect(shown(said("!a", "b", "c", "d"))).toEqual(["!a", "c", "d"]);
  expect(shown(said("!a", "!b", "!c", "!d"))).toEqual(["!b", "!c", "!d"]);
  expect(shown(said("!a", "!b", "!c", "d"))).toEqual(["!b", "!c", "d"]);
});
