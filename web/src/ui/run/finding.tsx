import { useState } from "react";
import type { GateFinding } from "../../../../src/contract/documents/quality/gate.ts";
import { Badge, type Tone } from "../badge.tsx";
import { Button } from "../button.tsx";
import { beginningOf, visibleText } from "../text/visible-text.ts";

const tones: Record<GateFinding["severity"], Tone> = { critical: "bad", high: "bad", medium: "warn", low: "neutral" };
const SHORT = { lines: 12, longest: 1_200 };

export function SeverityBadge({ severity }: Pick<GateFinding, "severity">) {
  return <Badge tone={tones[severity]}>{severity}</Badge>;
}

/** What a reviewer or a check says, as plain text; of a long one the beginning. */
export function FindingText({ message, fix }: { message: string; fix?: string | undefined }) {
  return (
    <>
      <Shortened text={message} />
      {fix !== undefined && fix.trim() !== "" && (
        <div className="text-faint">
          <Shortened text={`Fix: ${fix}`} />
        </div>
      )}
    </>
  );
}

function Shortened({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const cut = isWhole ? undefined : beginningOf(text, SHORT);
  return (
    <>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {visibleText(cut?.text ?? text)}
      </p>
      {cut !== undefined && (
        <Button kind="ghost" size="small" className="-ml-2" onClick={() => setWhole(true)}>
          Show all
        </Button>
      )}
    </>
  );
}
