import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { queries } from "../../api/queries.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { tell } from "../../ui/toasts.tsx";
import { AnswerForm } from "./answer-form.tsx";
import { outcomeText } from "./inbox-words.ts";
import { CallShown } from "./permission/call-shown.tsx";
import { PermissionForm } from "./permission/permission-form.tsx";
import { useInboxActs } from "./use-inbox-acts.ts";

interface QuestionBoxProps {
  escalation: Escalation;
  /** In front of the question. */
  title: string;
}

/** A question with the fields to answer it, on the page of what waits for it. */
export function QuestionBox({ escalation, title }: QuestionBoxProps) {
  const acts = useInboxActs({ onLate: useLateAnswer() });
  const asked = escalation.permission;
  return (
    <section aria-label="Open question" className="rounded-lg border border-line bg-warn-soft px-4 py-3">
      <div className="flex gap-3">
        <MessageCircleQuestion size={18} aria-hidden className="mt-0.5 shrink-0 text-warn" />
        <div className="flex min-w-0 flex-1 flex-col gap-3 text-sm">
          <p className="wrap-anywhere">
            <span className="text-warn">{asked === undefined ? title : "Waiting for your permission:"} </span>
            <bdi className="font-medium">{visibleLine(escalation.question)}</bdi>{" "}
            <Link to="/inbox" search={{ id: escalation.id }} className="text-accent underline">
              {escalation.id}
            </Link>
          </p>
          {asked !== undefined && <CallShown asked={asked} />}
          {asked === undefined && escalation.context.trim() !== "" && (
            <ScrollBox label="Context" look="plain" className="max-h-64 wrap-anywhere">
              <Markdown text={escalation.context} project={escalation.projectId} />
            </ScrollBox>
          )}
          {asked === undefined ? (
            <AnswerForm key={escalation.id} escalation={escalation} acts={acts} hasKeys={false} />
          ) : (
            <PermissionForm key={escalation.id} escalation={escalation} acts={acts} keys="within" />
          )}
        </div>
      </div>
    </section>
  );
}

/** The question leaves this page once it has an answer: a notice says which. */
function useLateAnswer(): (id: string) => void {
  const client = useQueryClient();
  return (id) => {
    client
      .fetchQuery({ ...queries.escalation(id), staleTime: 0 })
      .then(({ escalation }) => tell(`Already closed: ${outcomeText(escalation)}. Your answer was not recorded.`))
      .catch(() => tell(`${id} is no longer open. Your answer was not recorded.`));
  };
}
