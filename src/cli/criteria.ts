import { HallError } from "../contract/errors.ts";
import { hint } from "../contract/hint.ts";
import type { Criterion } from "../contract/task.ts";

export interface CriteriaEdit {
  /** The new list; a text that was there before keeps its tick. */
  texts?: readonly string[] | undefined;
  /** Numbers as a person counts, from 1, in the new list. */
  check: readonly number[];
  uncheck: readonly number[];
}

export function editCriteria(before: readonly Criterion[], { texts, check, uncheck }: CriteriaEdit): Criterion[] {
  const checked = new Set(before.filter(({ done }) => done).map(({ text }) => text));
  const list =
    texts === undefined
      ? before.map((each) => ({ ...each }))
      : texts.map((text) => ({ text, done: checked.has(text) }));
  for (const number of check) at(list, number).done = true;
  for (const number of uncheck) at(list, number).done = false;
  return list;
}

export function checkNumbers(words: readonly string[] | undefined): number[] {
  return (words ?? []).map((word) => {
    if (!/^[1-9]\d{0,3}$/.test(word)) throw new HallError("usage", `'${word}' is not the number of a criterion.`);
    return Number(word);
  });
}

function at(list: Criterion[], number: number): Criterion {
  const found = list[number - 1];
  if (found !== undefined) return found;
  const extent = list.length === 0 ? "The task has no criteria" : `The task has criteria 1 to ${list.length}`;
  throw new HallError("usage", `There is no criterion ${number}.`, {
    hint: hint("task-criteria", { text: extent }),
  });
}
