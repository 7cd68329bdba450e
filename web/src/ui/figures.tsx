import { useEffect, useState } from "react";

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const whole = new Intl.NumberFormat("en");

/** Every tick re-renders whatever shows an age; one clock for the page, which runs as long as there is one. */
const listeners = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  if (document.visibilityState === "visible") for (const listener of listeners) listener();
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const listener = () => setNow(Date.now());
    listeners.add(listener);
    if (listeners.size === 1) clock = setInterval(tick, 1_000);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) clearInterval(clock);
    };
  }, []);
  return now;
}

/** How long ago, with the exact time on hover. */
export function Ago({ at, className }: { at: string; className?: string | undefined }) {
  const now = useNow();
  const then = new Date(at);
  return (
    <time dateTime={at} title={exact.format(then)} className={className}>
      {agoText(now - then.getTime(), then)}
    </time>
  );
}

function agoText(ms: number, then: Date): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return relative.format(-seconds, "second");
  if (seconds < 3_600) return relative.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return relative.format(-Math.floor(seconds / 3_600), "hour");
  if (seconds < 14 * 86_400) return relative.format(-Math.floor(seconds / 86_400), "day");
  return day.format(then);
}

/** How long something takes or took: running ones count on. */
export function Lasting({
  from,
  to,
  seconds,
}: {
  from: string;
  to?: string | undefined;
  seconds?: number | undefined;
}) {
  const now = useNow();
  const end = to === undefined ? now : Date.parse(to);
  // Where it was measured, that counts: the clock may have been set between the two.
  const ms = seconds === undefined ? end - Date.parse(from) : seconds * 1_000;
  return <span title={`since ${exact.format(new Date(from))}`}>{durationText(ms)}</span>;
}

export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** How long one step took: short ones to the tenth of a second. */
export function tookText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : durationText(ms);
}

/** `known` false: the price of a model is unknown, and this is an estimate. */
export function Money({ usd, known = true }: { usd: number; known?: boolean }) {
  return <span title={known ? undefined : "Estimated: price unknown"}>{moneyText(usd, known)}</span>;
}

export function moneyText(usd: number, known = true): string {
  const digits = usd !== 0 && Math.abs(usd) < 0.1 ? 4 : 2;
  return `${known ? "" : "≈ "}$${usd.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

const DAY_MS = 86_400_000;

/** A day as a heading says it. */
export function dayText(at: Date, now: Date): string {
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((start(now) - start(at)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return at.toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long", ...year });
}

export function countText(count: number): string {
  return whole.format(count);
}

export function tokensText(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 1_000_000
    ? `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)} k`
    : `${(tokens / 1_000_000).toFixed(1)} M`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
