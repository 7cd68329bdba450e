import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";
import { AnswerForm } from "./answer-form.tsx";
import { useInboxActs } from "./use-inbox-acts.ts";

interface QuestionBoxProps {
  escalation: Escalation;
  /** In front of the question. */
  title: string;
}

/** A question with the fields to answer it, on the page of what waits for it. */
export function QuestionBox({ escalation, title }: QuestionBoxProps) {
  const acts = useInboxActs({});
  return (
    <section aria-label="Open question" className="rounded-lg border border-line bg-warn-soft px-4 py-3">
      <div className="flex gap-3">
        <MessageCircleQuestion size={18} aria-hidden className="mt-0.5 shrink-0 text-warn" />
        <div className="flex min-w-0 flex-1 flex-col gap-3 text-sm">
          <p className="wrap-anywhere">
            <span className="text-warn">{title} </span>
            <bdi className="font-medium">{visibleLine(escalation.question)}</bdi>{" "}
            <Link to="/inbox" search={{ id: escalation.id }} className="text-accent underline">
              {escalation.id}
            </Link>
          </p>
          {escalation.context.trim() !== "" && (
            <ScrollBox label="Context" look="plain" className="max-h-64 wrap-anywhere">
              <Markdown text={escalation.context} project={escalation.projectId} />
            </ScrollBox>
          )}
          <AnswerForm key={escalation.id} escalation={escalation} acts={acts} hasKeys={false} />
        </div>
      </div>
    </section>
  );
}
