import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { laterDialog } from "../ui/later.tsx";
import type { ChoosingProps } from "./choosing.ts";
import { KeysWithin, useKeysOfDialog } from "./keys.ts";
import { showPanel, usePanel } from "./panels.ts";

const Choices = laterDialog<ChoosingProps>(() => import("../pages/palette/palette.tsx"));
const close = () => showPanel(undefined);

/**
 * The palette's field is in the page from the start, and opens within the keydown: whatever is typed next goes into it. Only
 * the choices below it may take a while to load.
 */
export function PaletteField() {
  const isOpen = usePanel() === "palette";
  const ref = useRef<HTMLDialogElement>(null);
  const keys = useKeysOfDialog(isOpen);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!isOpen || dialog === null) return;
    dialog.showModal();
    dialog.querySelector("input")?.focus();
    return () => dialog.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the key; a click beside it is the other way
    <dialog
      ref={ref}
      aria-label="Search or jump"
      onCancel={(event) => {
        event.preventDefault();
        if (event.target === ref.current) close();
      }}
      onClick={(event) => {
        if (event.target === ref.current) close();
      }}
      className="mx-auto mt-[10dvh] mb-auto w-[min(40rem,calc(100vw-1.5rem))] overflow-hidden rounded-xl border border-line bg-card p-0 text-ink shadow-xl max-sm:mt-3"
    >
      <KeysWithin value={keys}>
        <Field key={String(isOpen)} isOpen={isOpen} />
      </KeysWithin>
    </dialog>
  );
}

function Field({ isOpen }: { isOpen: boolean }) {
  const list = useId();
  const keys = useRef<((event: KeyboardEvent) => boolean) | undefined>(undefined);
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (keys.current?.(event)) event.preventDefault();
    else if (event.key === "Enter") setEntered(true);
  };
  return (
    <div className="flex max-h-[min(32rem,75dvh)] flex-col">
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search size={16} aria-hidden className="shrink-0 text-faint" />
        <input
          type="text"
          role="combobox"
          aria-label="Search or jump"
          aria-expanded={active !== undefined}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active}
          placeholder="Search or jump to…"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setEntered(false);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
        />
        <kbd className="text-xs text-faint max-sm:hidden">Esc</kbd>
      </div>
      {isOpen && <Choices {...{ typed, list, isEntered, keys }} onActive={setActive} onClose={close} />}
      <p className="border-t border-line px-4 py-2 text-xs text-faint max-sm:hidden">
        <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to choose
      </p>
    </div>
  );
}
