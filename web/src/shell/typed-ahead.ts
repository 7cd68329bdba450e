/** Keys pressed after one that opens a field, until the field has the focus: none is lost, and none is taken for a shortcut. */
interface Kept {
  text: string;
  isEntered: boolean;
  onEscape: (() => void) | undefined;
  timer: ReturnType<typeof setTimeout>;
}

/** Whatever was to open did not: keys must not be swallowed for good. */
const LONGEST_MS = 15_000;
/** Between the moment when a dialog is there and the moment when its field has the focus. */
const FOCUS_MS = 1_000;

let kept: Kept | undefined;

/**
 * From now on typed letters are kept for the field that gets the focus next, unless one has it already. `onEscape`: what Esc does
 * meanwhile. Returns what to call when that field is there, or is not to come any more.
 */
export function keepTyping(onEscape?: () => void): () => void {
  if (isTextField(document.activeElement)) return () => {};
  const { text = "", isEntered = false } = kept ?? {};
  stopKeeping();
  const own: Kept = { text, isEntered, onEscape, timer: setTimeout(stopKeeping, LONGEST_MS) };
  kept = own;
  addEventListener("focusin", settleSoon);
  addEventListener("pointerdown", stopKeeping);
  return () => {
    setTimeout(() => {
      if (kept === own) stopKeeping();
    }, FOCUS_MS);
  };
}

/** Nothing opens after all. What was typed is dropped. */
export function stopKeeping(): void {
  if (kept === undefined) return;
  clearTimeout(kept.timer);
  kept = undefined;
  removeEventListener("focusin", settleSoon);
  removeEventListener("pointerdown", stopKeeping);
}

/** Whether the key was kept, and is nobody else's. */
export function isKept(key: string): boolean {
  if (kept === undefined) return false;
  if (key === "Escape") {
    const { onEscape } = kept;
    stopKeeping();
    onEscape?.();
  } else if (key === "Enter") kept.isEntered = true;
  else if (key === "Backspace") kept.text = kept.text.slice(0, -1);
  else if ([...key].length === 1 && !kept.isEntered) kept.text += key;
  return true;
}

/** A dialog that opens gives the focus to its first button before its field: what counts is where the focus is in the end. */
function settleSoon(): void {
  queueMicrotask(settle);
}

function settle(): void {
  if (kept === undefined) return;
  const { text, isEntered } = kept;
  const field = document.activeElement;
  stopKeeping();
  if (!isTextField(field)) return;
  if (text !== "") {
    field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  // After what was typed has been drawn: a form reads it from there.
  if (isEntered) setTimeout(() => enter(field));
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

function isTextField(element: Element | null): element is TextField {
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && element.selectionStart !== null;
}

function enter(field: TextField): void {
  const pressed = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  if (field.dispatchEvent(pressed) && field instanceof HTMLInputElement) field.form?.requestSubmit();
}
