import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";

/** The question that a task waits for. Above what covers the card. */
export function QuestionLink({ id }: { id: string }) {
  return (
    <Link
      to="/inbox"
      search={{ id }}
      title="Blocked by an open question"
      className="relative z-10 inline-flex min-h-6 items-center gap-0.5 text-xs text-warn underline"
    >
      <MessageCircleQuestion size={12} aria-hidden />
      <span className="sr-only">Blocked by question </span>
      {id}
    </Link>
  );
}
