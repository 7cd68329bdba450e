import { expect, test } from "vitest";
import { doingWords } from "./doing-words.ts";

test.each([
  ["thinking", "thinks"],
  ["something else", "something else"],
  ["task_list {}", "looks at the board"],
  ['reply {"channelType":"project","channelId":"shop","text":"How', "asks shop"],
  ['exec {"command":"npm \\"test\\"', 'runs npm "test"'],
  ['unheard_of {"a":1}', "uses unheard of"],
])("%s is told as: %s", (activity, words) => {
  expect(doingWords(activity)).toBe(words);
});
