import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { Loaded } from "../../ui/states.tsx";
import { QuestionBox } from "../inbox/question-box.tsx";

/** The fields to answer one entry of the briefing, as the inbox has them. */
export default function AnswerInPlace({ id }: { id: string }) {
  const found = useQuery(queries.escalation(id));
  return (
    <Loaded query={found}>
      {({ escalation }) =>
        escalation.status === "resolved" ? (
          <p className="text-sm text-faint">Answered.</p>
        ) : (
          <QuestionBox escalation={escalation} title="Waiting for you:" />
        )
      }
    </Loaded>
  );
}
