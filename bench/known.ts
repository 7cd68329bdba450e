import type { Bench } from "./kit/bench.ts";
import { count, percentile, timed, times } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";
import { readHalf, type ScriptedEscalation } from "./known/questions.ts";
import { askedQuestion, recordedAnswers, reuseIn, storedEscalation } from "./known/recorded.ts";

const MANY = 10_000;
const GOAL_MS = 20;

/** Answers that are reused for questions in other words, and how long it takes to find one among many. */
export async function known({ quick }: Bench): Promise<Table> {
  const halves = [
    ["training half", "training"],
    ["held-out half", "held-out"],
  ] as const;
  const lines: Line[] = [];
  for (const [title, name] of halves) {
    const { right, of, wrong, questions } = await reuseIn(readHalf(name));
    lines.push({
      cells: [`${title}: ${questions} questions`, `${right} of ${of} reused`, `${wrong.length} wrong`],
      goal: atMost(0, wrong.length, "wrong"),
    });
  }
  lines.push(...(await lookups(quick ? 100 : 400)));
  return { title: "Recorded answers for questions in other words", columns: ["", "", ""], lines };
}

/** Against one look at every question for a single word, which is the least that a search without an index does. */
async function lookups(rounds: number): Promise<Line[]> {
  const { escalations, questions } = readHalf("training");
  const many = Array.from({ length: MANY }, (_, at) => variant(escalations, at));
  const answers = recordedAnswers(many.map(storedEscalation));
  const texts = many.map(({ question }) => question);
  await answers.lookup({ text: "Is everything loaded by now?", projectId: "shop" });
  const floor: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const question = questions[round % questions.length];
    if (question === undefined) continue;
    const word = question.text.split(" ").at(-1) ?? "";
    floor.push(await timed(async () => texts.filter((text) => text.toLowerCase().includes(word.toLowerCase()))));
    own.push(await timed(() => answers.lookup(askedQuestion(question))));
  }
  answers.close();
  const [bare, p50, p95] = [percentile(floor, 0.5), percentile(own, 0.5), percentile(own, 0.95)];
  return [
    { cells: [`one word looked for in ${count(MANY)} texts`, `${bare.toFixed(2)} ms`, ""] },
    {
      cells: [
        `lookup among ${count(MANY)} answers, p50 / p95`,
        `${p50.toFixed(2)} / ${p95.toFixed(2)} ms`,
        times(p50 / bare),
      ],
      goal: atMost(GOAL_MS, p50, "ms"),
    },
  ];
}

/** The same questions about other things, so that their words are as common as they can be. */
function variant(escalations: readonly ScriptedEscalation[], at: number): ScriptedEscalation {
  const base = escalations[at % escalations.length] as ScriptedEscalation;
  const id = `esc-${String(at + 1).padStart(5, "0")}`;
  const round = Math.floor(at / escalations.length);
  return {
    ...base,
    id,
    question: round === 0 ? base.question : `${base.question} (part ${round} of module m${round % 97})`,
  };
}
