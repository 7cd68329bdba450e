import { expect, it } from "vitest";
import { readHalf, readKeptApart } from "../../../bench/known/questions.ts";
import { reuseIn } from "../../../bench/known/recorded.ts";
import { formOf } from "./matching/question-form.ts";
import { difference } from "./matching/same-question.ts";

/** `least`: below it something that was found is missed now; above it there may be as many as want to. */
it.each([
  ["training", 72],
  ["held-out", 55],
] as const)("never reuses a wrong answer for the %s half of the scripted questions", async (name, least) => {
  const { right, wrong, questions } = await reuseIn(readHalf(name));
  expect(wrong).toEqual([]);
  expect(right).toBeGreaterThanOrEqual(least);
  expect(questions).toBeGreaterThan(150);
});

it("keeps questions apart in which the same words have other roles", () => {
  const pairs = readKeptApart();
  expect(pairs.filter(([one, other]) => difference(posed(one), posed(other)) === undefined)).toEqual([]);
  expect(pairs.length).toBeGreaterThan(100);
});

it("keeps every question apart from itself with one telling word exchanged or left out", () => {
  const questions = (["training", "held-out"] as const).flatMap((name) => readHalf(name).escalations);
  const taken = questions.flatMap(({ question }) => {
    const words = question.split(" ");
    const telling = words.flatMap((word, at) => (isTelling(word) ? [at] : []));
    return (
      telling
        .flatMap((at) => [words.with(at, "zebra"), words.toSpliced(at, 1)])
        .map((changed) => changed.join(" "))
        // A word that is said twice may be said once.
        .filter((changed) => formOf(changed).words.size !== formOf(question).words.size || changed.includes("zebra"))
        .filter((changed) => difference(posed(question), posed(changed)) === undefined)
    );
  });
  expect(taken).toEqual([]);
});

function posed(text: string) {
  return { form: formOf(text), options: [], context: new Set<string>() };
}

function isTelling(word: string): boolean {
  const { words } = formOf(word);
  return words.size > 0;
}
