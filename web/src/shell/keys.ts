import { createContext, useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import type { ShortcutKey } from "./shortcuts.ts";
import { isKept, keepTyping, stopKeeping } from "./typed-ahead.ts";

/** Keys by name (`j`, `g n` for one after the other, `mod+k` for Ctrl or Cmd) and what they do. False: not taken. */
// biome-ignore lint/suspicious/noConfusingVoidType: most say nothing
export type Keys = Partial<Record<ShortcutKey, (event: KeyboardEvent) => void | false>>;

interface Heard {
  keys: () => Keys;
  /** The dialog that they belong to; undefined: the page. */
  within: symbol | undefined;
  isEverywhere: boolean;
}

const SEQUENCE_MS = 1_000;
const stack: Heard[] = [];
const dialogs: symbol[] = [];
let first = "";
let firstAt = 0;

/** The dialog that something is in. */
export const KeysWithin = createContext<symbol | undefined>(undefined);

/** While a dialog is open, only its own keys are heard and those that work everywhere: the page below is out of reach. */
export function useKeysOfDialog(isOpen = true): symbol {
  const [own] = useState(() => Symbol("dialog"));
  useLayoutEffect(() => {
    if (!isOpen) return;
    dialogs.push(own);
    return () => {
      dialogs.splice(dialogs.indexOf(own), 1);
    };
  }, [own, isOpen]);
  return own;
}

/** The newest on the page comes first. */
export function useKeys(keys: Keys, { isEverywhere = false }: { isEverywhere?: boolean } = {}): void {
  const within = useContext(KeysWithin);
  const current = useEffectEvent(() => keys);
  useEffect(() => {
    const entry = { keys: () => current(), within, isEverywhere };
    stack.push(entry);
    return () => {
      stack.splice(stack.indexOf(entry), 1);
    };
  }, [within, isEverywhere]);
}

function heard(): Heard[] {
  const top = dialogs.at(-1);
  return stack.filter(({ within, isEverywhere }) => isEverywhere || within === top);
}

interface FirstKey {
  key: string;
  isCommand: boolean;
}

declare global {
  interface Window {
    /** Of `first-keys.js`: ends its listening and gives what was pressed until now. */
    takeFirstKeys?: () => FirstKey[];
  }
}

/** Those that open a field, whatever page it is: the keys after them are text. */
const OPENERS = new Set(["mod+k", "/", "c", "s", "t"]);

/** Once the shell's own keys are registered. Keys that were pressed before count, if the first of them opens a field. */
export function listenToKeys(): () => void {
  const all = window.takeFirstKeys?.() ?? [];
  const pressed = all.slice(all.findLastIndex(({ key }) => key === "Escape") + 1);
  addEventListener("keydown", hear);
  const at = pressed.findIndex(({ isCommand }) => isCommand);
  const [opener, ...typed] = pressed.slice(Math.max(at, 0));
  if (opener !== undefined) replay(nameOf(opener.key, opener.isCommand), typed);
  return () => removeEventListener("keydown", hear);
}

function replay(opener: string, typed: readonly FirstKey[]): void {
  if (!OPENERS.has(opener)) return;
  keepTyping();
  for (const { key } of typed) isKept(key);
  if (!take(opener, new KeyboardEvent("keydown"))) stopKeeping();
}

function hear(event: KeyboardEvent): void {
  const isGraph = event.getModifierState("AltGraph");
  if (event.defaultPrevented || event.isComposing || (event.altKey && !isGraph)) return;
  const isCommand = !isGraph && (event.ctrlKey || event.metaKey);
  const name = nameOf(event.key, isCommand);
  if (name === "mod+k") stopKeeping();
  else if (!isCommand && isTyping(event.target)) return;
  else if (!isCommand && isKept(event.key)) {
    event.preventDefault();
    return;
  }
  const isSecond = first !== "" && event.timeStamp - firstAt < SEQUENCE_MS;
  const names = isSecond ? [`${first} ${name}`, name] : [name];
  first = "";
  if (names.some((wanted) => take(wanted, event))) return;
  if (heard().some(({ keys }) => Object.keys(keys()).some((key) => key.startsWith(`${name} `)))) {
    first = name;
    firstAt = event.timeStamp;
  }
}

function take(name: string, event: KeyboardEvent): boolean {
  for (const { keys } of heard().toReversed()) {
    const act = keys()[name as ShortcutKey];
    if (act === undefined || act(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}

function nameOf(key: string, isCommand: boolean): string {
  return isCommand ? `mod+${key.toLowerCase()}` : key;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[role=menu]") !== null) return true;
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
