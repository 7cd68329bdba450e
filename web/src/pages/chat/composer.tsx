import { SendHorizontal, Square } from "lucide-react";
import { type RefObject, useId, useLayoutEffect } from "react";
import { Button } from "../../ui/button.tsx";

/** More lines scroll in the field. */
const TALLEST_PX = 220;
/** The daemon takes no longer text. */
const LONGEST = 100_000;

export function Composer({
  field,
  draft,
  label,
  isBusy,
  onWrite,
  onSay,
  onStop,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  label: string;
  /** An answer is under way, and can be stopped. */
  isBusy: boolean;
  onWrite: (text: string) => void;
  onSay: (text: string) => void;
  onStop: () => void;
}) {
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows from the text
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(TALLEST_PX, element.scrollHeight + 2)}px`;
  }, [draft]);
  const say = () => {
    const text = draft.trim();
    if (text === "") return;
    onSay(text);
    onWrite("");
    field.current?.focus();
  };
  return (
    <form
      className="shrink-0 border-t border-line bg-card px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-1.5">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <textarea
          id={id}
          ref={field}
          rows={2}
          dir="auto"
          value={draft}
          maxLength={LONGEST}
          placeholder={label}
          onChange={(event) => onWrite(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            say();
          }}
          className="min-h-14 w-full resize-none rounded-md border border-edge bg-card px-2.5 py-1.5 text-sm placeholder:text-faint"
        />
        <div className="flex items-center gap-2">
          <p className="mr-auto text-xs text-faint max-sm:hidden">
            <kbd>Enter</kbd> sends, <kbd>Shift+Enter</kbd> adds a line
          </p>
          {isBusy && (
            <Button size="small" kind="danger" className="max-sm:ml-auto" onClick={onStop}>
              <Square size={12} aria-hidden />
              Stop answering
            </Button>
          )}
          <Button size="small" kind="primary" type="submit" disabled={draft.trim() === ""} className="max-sm:ml-auto">
            <SendHorizontal size={14} aria-hidden />
            Send
          </Button>
        </div>
      </div>
    </form>
  );
}
