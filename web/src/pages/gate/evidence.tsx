import { Link } from "@tanstack/react-router";
import type { CommandEvidence, GateEvidence } from "../../../../src/contract/documents/quality/gate.ts";
import { findingPlace } from "../../../../src/contract/words/review-words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Money, plural, tookText } from "../../ui/figures.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";
import { FAILURE_WORDS, purposeWords, testWords } from "./report-words.ts";

const MOST_FAILURES = 50;

/** What a verdict rests on: commands with their exit and output, models with their answers. */
export function EvidenceList({ evidence }: { evidence: readonly GateEvidence[] }) {
  return (
    <ul aria-label="Evidence" className="flex flex-col gap-3 border-t border-line bg-sunk/50 px-4 py-3 sm:pl-9">
      {evidence.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no id, and never changes
        <li key={at} className="min-w-0 text-sm">
          <Evidence evidence={each} />
        </li>
      ))}
    </ul>
  );
}

function Evidence({ evidence }: { evidence: GateEvidence }) {
  switch (evidence.type) {
    case "command":
      return <Command evidence={evidence} />;
    case "model":
      return <Model evidence={evidence} />;
    case "note":
      return <p className="wrap-anywhere whitespace-pre-wrap">{visibleText(evidence.text)}</p>;
  }
}

function Command({ evidence }: { evidence: CommandEvidence }) {
  const { purpose, command, exitCode, kind, ms, cached, toolchain, scope, fallback, tree, output } = evidence;
  const tests = testWords(evidence);
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{visibleLine(purposeWords(purpose))}</span>
        <Badge tone={kind === "none" ? "good" : kind === "test-failures" ? "bad" : "warn"}>{FAILURE_WORDS[kind]}</Badge>
        {cached && <Badge title="Same files, command and toolchain as an earlier check">cached</Badge>}
        <span className="text-xs text-faint tabular-nums">
          exit {exitCode} · {tookText(ms)}
          {tests !== "" && ` · ${tests}`}
          {scope !== undefined && ` · ${scope === "full" ? "all tests" : "affected tests"}`}
        </span>
      </p>
      <pre className="overflow-x-auto rounded bg-sunk px-2 py-1 text-xs wrap-anywhere whitespace-pre-wrap">
        {visibleLine(command)}
      </pre>
      {fallback !== undefined && (
        <p className="text-xs wrap-anywhere text-faint">All tests ran: {visibleLine(fallback)}</p>
      )}
      <Failures evidence={evidence} />
      {output.trim() !== "" && (
        <ScrollBox label={`Output of ${purposeWords(purpose)}`} look="text" className="max-h-80 wrap-anywhere">
          {visibleText(output)}
        </ScrollBox>
      )}
      <p className="text-xs wrap-anywhere text-faint">
        Tree <code>{tree.slice(0, 12)}</code> · {visibleLine(toolchain)}
      </p>
    </div>
  );
}

function Failures({ evidence: { failures = [] } }: { evidence: CommandEvidence }) {
  if (failures.length === 0) return null;
  return (
    <ul aria-label="Failing tests" className="flex flex-col gap-1">
      {failures.slice(0, MOST_FAILURES).map(({ name, file, line, message }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice
        <li key={at} className="border-l-2 border-bad pl-2 wrap-anywhere">
          {visibleLine(name)}
          {file !== undefined && (
            <code className="ml-1.5 text-xs text-faint">{visibleLine(findingPlace({ file, line }))}</code>
          )}
          {message !== undefined && <span className="block text-xs text-faint">{visibleText(message)}</span>}
        </li>
      ))}
      {failures.length > MOST_FAILURES && (
        <li className="text-xs text-faint">and {failures.length - MOST_FAILURES} more</li>
      )}
    </ul>
  );
}

function Model({ evidence }: { evidence: Extract<GateEvidence, { type: "model" }> }) {
  const { purpose, model, runId, costUsd, answer, dropped, refuted } = evidence;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{visibleLine(purposeWords(purpose))}</span>
        <span className="text-xs wrap-anywhere text-faint tabular-nums">
          {visibleLine(model)} · <Money usd={costUsd} />
          {dropped > 0 && ` · ${plural(dropped, "finding")} without a place dropped`}
          {refuted > 0 && ` · ${plural(refuted, "finding")} refuted`}
        </span>
        {runId !== undefined && (
          <Link to="/runs/$runId" params={{ runId }} className="text-xs text-accent underline">
            Open the reviewer's run
          </Link>
        )}
      </p>
      {answer.trim() !== "" && (
        <ScrollBox label={`Answer of ${visibleLine(model)}`} look="text" className="max-h-80 wrap-anywhere">
          {visibleText(answer)}
        </ScrollBox>
      )}
    </div>
  );
}
