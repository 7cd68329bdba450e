import { ShieldAlert, ShieldCheck, ShieldX } from "lucide-react";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { tookText } from "../../../ui/figures.tsx";
import { beginningOf, visibleLine, visibleText } from "../../../ui/text/visible-text.ts";
import { checkOf, type HookNote, type Item } from "./transcript-model.ts";

type Check = NonNullable<ReturnType<typeof checkOf>>;

const CHECKS: Record<Check, { word: string; tone: Tone; title: string }> = {
  asked: { word: "waiting for permission", tone: "warn", title: "It runs only after it's allowed." },
  allowed: { word: "allowed", tone: "good", title: "Allowed before it ran" },
  refused: { word: "refused", tone: "bad", title: "It didn't run." },
};

/** Whether a call was checked before it ran, and the result. */
export function CheckBadge({ item }: { item: Extract<Item, { kind: "call" }> }) {
  const check = checkOf(item);
  if (check === undefined) return null;
  const { word, tone, title } = CHECKS[check];
  return (
    <Badge tone={tone} title={title}>
      {word}
    </Badge>
  );
}

const OUTCOMES: Record<HookNote["outcome"], { word: string; look: string; icon: typeof ShieldCheck }> = {
  allowed: { word: "allowed", look: "text-good", icon: ShieldCheck },
  refused: { word: "refused", look: "text-bad", icon: ShieldX },
  failed: { word: "failed", look: "text-warn", icon: ShieldAlert },
};

const MOST = { lines: 6, longest: 600 };

/** One hook that ran: its name, event, outcome and text. */
export function HookLine({ hook: { name, event, outcome, ms, text } }: { hook: HookNote }) {
  const { word, look, icon: Icon } = OUTCOMES[outcome];
  const said = text === undefined ? "" : visibleText(text).trim();
  const cut = beginningOf(said, MOST);
  return (
    <div className="flex gap-2 text-sm">
      <Icon size={14} aria-hidden className={`mt-1 shrink-0 ${look}`} />
      <div className="min-w-0 flex-1">
        <p>
          <span className="text-faint">{event} hook</span> <code>{visibleLine(name)}</code>{" "}
          <span className={look}>{word}</span> <span className="text-xs text-faint tabular-nums">· {tookText(ms)}</span>
        </p>
        {said !== "" &&
          (cut === undefined ? (
            <HookText text={said} />
          ) : (
            <details className="group">
              <summary className="cursor-pointer list-none text-xs">
                <span className="whitespace-pre-wrap wrap-anywhere group-open:hidden">{cut.text}… </span>
                <span className="text-accent underline group-open:hidden">Show all</span>
                <span className="hidden text-accent underline group-open:inline">Show less</span>
              </summary>
              <HookText text={said} />
            </details>
          ))}
      </div>
    </div>
  );
}

function HookText({ text }: { text: string }) {
  return <p className="text-xs whitespace-pre-wrap wrap-anywhere">{text}</p>;
}

/** What hooks said about a call. Hooks that only allowed it are part of its details. */
export function HookLines({ hooks, isOpen }: { hooks: readonly HookNote[]; isOpen: boolean }) {
  const shown = hooks.filter(({ outcome, text }) => isOpen || outcome !== "allowed" || text !== undefined);
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Hooks" className="flex flex-col gap-1 border-t border-line px-2.5 py-1.5">
      {shown.map((hook, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hooks of one call are only added
        <li key={at}>
          <HookLine hook={hook} />
        </li>
      ))}
    </ul>
  );
}
