import { Link } from "@tanstack/react-router";
import type { GateFinding } from "../../../../src/contract/documents/quality/gate.ts";
import { findingPlace } from "../../../../src/contract/words/review-words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { FindingText, SeverityBadge } from "../../ui/run/finding.tsx";
import { visibleLine, visibleText } from "../../ui/text/visible-text.ts";
import { isBlocking, type PlacedFinding } from "./report-model.ts";
import { STATE_HINTS, STATE_WORDS } from "./report-words.ts";

const stateTones: Record<GateFinding["state"], Tone> = {
  open: "bad",
  disputed: "warn",
  refuted: "neutral",
  resolved: "good",
  waived: "info",
};

interface ItemProps {
  finding: PlacedFinding;
  /** The run whose diff shows its place. */
  runId?: string | undefined;
  /** Absent where it can't be waived from here. */
  onWaive?: ((finding: PlacedFinding) => void) | undefined;
  /** Its place is where it stands. */
  hidePlace?: boolean;
}

/** A finding with its place, its state, and what was said about it. */
export function FindingItem({ finding, runId, onWaive, hidePlace = false }: ItemProps) {
  const { severity, message, fix, state, requirements = [], from } = finding;
  return (
    <article aria-label={`${severity} finding`} className="flex flex-col gap-0.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <SeverityBadge severity={severity} />
        {state !== "open" && (
          <span title={STATE_HINTS[state]}>
            <Badge tone={stateTones[state]}>{STATE_WORDS[state]}</Badge>
          </span>
        )}
        {isBlocking(finding) && <Badge tone="bad">Blocks</Badge>}
        {!hidePlace && <PlaceLink finding={finding} runId={runId} />}
        <span className="text-xs text-faint">{visibleLine([from, ...requirements].join(" · "))}</span>
        {onWaive !== undefined && finding.canWaive && (
          <Button
            size="small"
            kind="ghost"
            className="ml-auto"
            onClick={() => onWaive(finding)}
            aria-label={`Waive: ${message.slice(0, 80)}`}
          >
            Waive
          </Button>
        )}
      </div>
      <FindingText message={message} fix={fix} />
      <Said finding={finding} />
    </article>
  );
}

function PlaceLink({ finding: { file, line }, runId }: Pick<ItemProps, "finding" | "runId">) {
  const place = findingPlace({ file, line });
  if (place === "") return null;
  const code = <code className="text-xs break-all">{visibleLine(place)}</code>;
  if (runId === undefined) return code;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId }}
      search={{ view: "changes", at: place }}
      className="text-accent underline"
      title="Show in the diff"
    >
      {code}
    </Link>
  );
}

/** Replies and the waiver. */
function Said({ finding: { replies = [], waiver } }: { finding: PlacedFinding }) {
  return (
    <>
      {replies.map(({ by, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: replies have no id, and never change
        <p key={at} dir="auto" className="border-l-2 border-line pl-2 wrap-anywhere whitespace-pre-wrap">
          <span className="text-faint">{visibleLine(by)}: </span>
          {visibleText(text)}
        </p>
      ))}
      {waiver !== undefined && (
        <p dir="auto" className="border-l-2 border-info pl-2 wrap-anywhere whitespace-pre-wrap">
          <span className="text-faint">
            Waived by {visibleLine(waiver.by)} <Ago at={waiver.at} />:{" "}
          </span>
          {visibleText(waiver.reason)}
        </p>
      )}
    </>
  );
}
