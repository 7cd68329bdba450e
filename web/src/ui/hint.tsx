import { Link } from "@tanstack/react-router";
import { type Hint as HintData, hintWords } from "../../../src/contract/words/hint.ts";
import type { HintPart } from "../../../src/contract/words/hint-actions.ts";
import { hallCommand } from "../api/hall-command.ts";

/** What would help: the page that does it, else the sentence, whose commands are set apart because this page cannot run them. */
export function Hint({ of }: { of: HintData }) {
  const { parts, page } = hintWords(of);
  if (page !== undefined)
    return (
      <Link to={page.path} search={page.search ?? {}} className="text-accent underline">
        {page.label}
      </Link>
    );
  const hasCommand = parts.some((part) => typeof part !== "string");
  return (
    <>
      {hasCommand && "In a terminal: "}
      {parts.map((part) => (
        <Part key={typeof part === "string" ? part : commandText(part)} part={part} />
      ))}
    </>
  );
}

function Part({ part }: { part: HintPart }) {
  if (typeof part === "string") return part;
  return <code className="rounded bg-sunk px-1 text-ink wrap-anywhere">{commandText(part)}</code>;
}

function commandText(part: Exclude<HintPart, string>): string {
  return "hall" in part ? hallCommand(part.hall) : part.shell;
}
