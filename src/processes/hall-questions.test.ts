import { expect, it } from "vitest";
import { answerQuestion, type HallQuestions } from "./hall-questions.ts";

const questions: HallQuestions = {
  board: { action: "changeBoard", answer: async () => "changed" },
  hall: { action: "writeHallKnowledge", answer: async () => "written" },
};
const ask = (what: string, runId?: string) =>
  answerQuestion(questions)({ what, input: {} }, { projectId: "shop", runId }).catch((error: Error) => error.message);

it("answers a project's agent and a run as far as each of them has the right, whatever their process sends", async () => {
  expect(await ask("board")).toBe("changed");
  expect(await ask("board", "run-1")).toContain("You can't change a project's tasks and plans");
  for (const runId of [undefined, "run-1"])
    expect(await ask("hall", runId)).toContain("You can't add to the knowledge of all projects");
  expect(await ask("constructor")).toContain("Unknown request");
});
