import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, type Hall } from "./daemon.ts";

/** What a person writes into the file of a pending question, apart from its id. */
export interface WrittenQuestion {
  question: string;
  projectId?: string;
  [key: string]: unknown;
}

let last = 0;

/** Questions that wait for the person, as files that are written by hand. Resolves with their ids once they are listed. */
export async function writeQuestions(hall: Hall, questions: readonly WrittenQuestion[]): Promise<string[]> {
  const folder = join(hall.workspace, "escalations/pending");
  mkdirSync(folder, { recursive: true });
  const ids = questions.map((question) => {
    const id = `esc-${String(++last).padStart(3, "0")}`;
    writeFileSync(join(folder, `${id}.json`), JSON.stringify({ id, ...question }, undefined, 2));
    return id;
  });
  await eventually(
    async () => (await hall.call("GET", "/api/escalations?status=pending&limit=1000")).body.escalations,
    (listed) => ids.every((id) => listed.some((each: { id: string }) => each.id === id)),
  );
  return ids;
}

export function twoAnswers(first = "Stripe", second = "Adyen") {
  return [
    { label: first, description: "Known to the team." },
    { label: second, description: "" },
  ];
}
