import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";

type Answered = Pick<
  StoredEscalation,
  "id" | "question" | "outcome" | "resolution" | "answer" | "resolvedBy" | "sources"
>;

/** What an agent reads of the answer to what it asked. */
export function answerText({ id, question, outcome, resolution, answer, resolvedBy, sources }: Answered): string {
  const asked = `${id}: ${question}`;
  const words = resolution ?? answer ?? "";
  switch (outcome) {
    case "dismissed":
      return `${asked}\nDismissed without an answer: ${words}\nNothing was approved or refused. Decide what you may decide yourself, and leave out the rest.`;
    case "expired":
      return `${asked}\nNo answer came in time; the stated default applies: ${words}`;
    case "withdrawn":
      return `${asked}\nWithdrawn: ${words}`;
    default: {
      const chosen = answer !== null && !words.startsWith(answer) ? `${answer}. ` : "";
      const cited = sources.length === 0 ? "" : ` [${sources.map((source) => source.id).join(", ")}]`;
      return `${asked}\nAnswer (${resolvedBy ?? "person"}): ${chosen}${words}${cited}`;
    }
  }
}
