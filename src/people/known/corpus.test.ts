import { expect, it } from "vitest";
import { readHalf, readKeptApart } from "../../../bench/known/questions.ts";
import { askedQuestion, recordedAnswers, reuseIn, storedEscalation } from "../../../bench/known/recorded.ts";
import { formOf } from "./matching/question-form.ts";
import { difference } from "./matching/same-question.ts";

/** `least`: below it something that was found is missed now; more is better. */
it.each([
  ["training", 73],
  ["held-out", 56],
] as const)("never reuses a wrong answer for the %s half of the scripted questions", async (name, least) => {
  const { right, wrong, questions } = await reuseIn(readHalf(name));
  expect(wrong).toEqual([]);
  expect(right).toBeGreaterThanOrEqual(least);
  expect(questions).toBeGreaterThan(150);
});

it.each([
  ["training", 74],
  ["held-out", 67],
] as const)("gives reviewers the fact that settles a question, and few others, in the %s half", async (name, right) => {
  const { escalations, questions } = readHalf(name);
  const known = recordedAnswers(escalations.map((one) => storedEscalation({ ...one, type: "decision" })));
  const answered = questions.filter(({ reuses }) => reuses !== undefined);
  const given = await Promise.all(
    answered.map(async (question) => ({ question, facts: await known.facts(askedQuestion(question), 12) })),
  );
  known.close();
  const missed = given.filter(({ question, facts }) => !facts.some(({ id }) => id === question.reuses));
  expect([missed.map(({ question }) => question.text), answered.length]).toEqual([[], right]);
  const others = given.reduce((sum, { facts }) => sum + facts.length - 1, 0);
  expect(others / answered.length).toBeLessThan(0.5);
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
