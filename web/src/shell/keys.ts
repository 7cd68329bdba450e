import { useEffect, useEffectEvent } from "react";

/** Keys by name (`j`, `Enter`, `g n` for one after the other, `mod+k` for Ctrl or Cmd) and what they do. False: not taken. */
// biome-ignore lint/suspicious/noConfusingVoidType: most say nothing
export type Keys = Record<string, (event: KeyboardEvent) => void | false>;

const SEQUENCE_MS = 1_000;
const stack: { keys: () => Keys }[] = [];
let first = "";
let firstAt = 0;

/** The newest on the page comes first, so that a drawer's keys hide those of the page below. */
export function useKeys(keys: Keys): void {
  const current = useEffectEvent(() => keys);
  useEffect(() => {
    const entry = { keys: () => current() };
    stack.push(entry);
    return () => {
      stack.splice(stack.indexOf(entry), 1);
    };
  }, []);
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const name = nameOf(event);
    const isCommand = name.startsWith("mod+");
    if (!isCommand && (isTyping(event.target) || event.ctrlKey || event.metaKey)) return;
    const isSecond = first !== "" && event.timeStamp - firstAt < SEQUENCE_MS;
    const names = isSecond ? [`${first} ${name}`, name] : [name];
    first = "";
    if (names.some((wanted) => take(wanted, event))) return;
    if (stack.some(({ keys }) => Object.keys(keys()).some((key) => key.startsWith(`${name} `)))) {
      first = name;
      firstAt = event.timeStamp;
    }
  });
}

function take(name: string, event: KeyboardEvent): boolean {
  for (const { keys } of stack.toReversed()) {
    const act = keys()[name];
    if (act === undefined || act(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}

function nameOf(event: KeyboardEvent): string {
  return event.ctrlKey || event.metaKey ? `mod+${event.key.toLowerCase()}` : event.key;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** The rows of a list are the elements marked `data-row` that can have the focus; an open dialog's come before the page's. */
export function moveAmongRows(by: 1 | -1): void {
  const within = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector("main") ?? document;
  const rows = [...within.querySelectorAll<HTMLElement>("[data-row]")].filter((row) => row.checkVisibility());
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = at < 0 ? (by === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: "nearest" });
}
