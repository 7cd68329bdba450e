import { CircleCheck, CircleHelp, CircleMinus, CircleX, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { GATE_VERDICT_WORDS, type GateVerdict } from "../../../../src/contract/words/gate-words.ts";
import { Badge, type Tone } from "../badge.tsx";
import { visibleLine } from "../text/visible-text.ts";

const LOOKS: Record<GateVerdict, { tone: Tone; Icon: LucideIcon; ground: string; ink: string }> = {
  pass: { tone: "good", Icon: CircleCheck, ground: "bg-good-soft", ink: "text-good" },
  fail: { tone: "bad", Icon: CircleX, ground: "bg-bad-soft", ink: "text-bad" },
  unable: { tone: "warn", Icon: CircleHelp, ground: "bg-warn-soft", ink: "text-warn" },
  skipped: { tone: "neutral", Icon: CircleMinus, ground: "bg-sunk", ink: "text-faint" },
};

interface Judged {
  state: "running" | "finished";
  verdict?: GateVerdict | undefined;
}

/** A finished gate without a verdict has none that counts. */
function verdictOf({ verdict }: Judged): GateVerdict {
  return verdict ?? "unable";
}

export function VerdictBadge(judged: Judged) {
  if (judged.state === "running") return <Badge tone="info">Checking</Badge>;
  return <Badge tone={LOOKS[verdictOf(judged)].tone}>{GATE_VERDICT_WORDS[verdictOf(judged)]}</Badge>;
}

export function VerdictIcon({ verdict, size = 16 }: { verdict: GateVerdict; size?: number }) {
  const { Icon, ink } = LOOKS[verdict];
  return <Icon size={size} aria-hidden className={`shrink-0 ${ink}`} />;
}

interface BannerProps extends Judged {
  /** What stopped it, or that nothing did. */
  sentence: string;
  actions?: ReactNode;
  /** Figures and facts. */
  children: ReactNode;
}

/** The verdict, what stopped it, and what can be done about it. */
export function VerdictBanner({ sentence, actions, children, ...judged }: BannerProps) {
  const isRunning = judged.state === "running";
  const look = LOOKS[verdictOf(judged)];
  return (
    <section
      aria-label="Verdict"
      className={`rounded-lg border border-line ${isRunning ? "bg-info-soft" : look.ground}`}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
        <span className="mt-0.5">
          {isRunning ? (
            <LoaderCircle size={22} aria-hidden className="animate-spin text-info" />
          ) : (
            <VerdictIcon verdict={verdictOf(judged)} size={22} />
          )}
        </span>
        <div role="status" className="min-w-0 flex-1 basis-60">
          <h2 className={`text-lg leading-snug font-semibold ${isRunning ? "text-info" : look.ink}`}>
            {isRunning ? "Checking" : GATE_VERDICT_WORDS[verdictOf(judged)]}
          </h2>
          <p dir="auto" className="wrap-anywhere text-ink">
            {visibleLine(sentence)}
          </p>
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <dl className="flex flex-wrap gap-x-5 gap-y-1 rounded-b-lg border-t border-line bg-card px-4 py-2 text-sm">
        {children}
      </dl>
    </section>
  );
}

/** One of the facts below a verdict. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </div>
  );
}
