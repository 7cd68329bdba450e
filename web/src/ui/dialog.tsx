import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { KeysWithin, useKeysOfDialog } from "../shell/keys.ts";
import { IconButton } from "./button.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Beside the title. */
  head?: ReactNode;
  /** `modal` in the middle, `drawer` at the right edge, `wide` in the middle with room. */
  look?: keyof typeof looks;
}

const looks = {
  modal: "m-auto w-[min(36rem,calc(100vw-1.5rem))] max-h-[calc(100dvh-3rem)] rounded-xl",
  wide: "m-auto w-[min(64rem,calc(100vw-1.5rem))] max-h-[calc(100dvh-3rem)] rounded-xl",
  drawer: "ml-auto mr-0 my-0 h-dvh max-h-dvh w-[min(46rem,100vw)] max-w-none rounded-none sm:rounded-l-xl",
};

/** The browser's own dialog: the focus stays in it, Esc closes it, what lies behind is out of reach. */
export function Dialog({ title, onClose, children, head, look = "modal" }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const keys = useKeysOfDialog();
  // Before it leaves the page: closed after that, it would not give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) open(dialog, look === "drawer");
    return () => dialog?.close();
  }, [look]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the key; a click beside it is the other way
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        // One that lies over this one tells it here too.
        if (event.target === ref.current) onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
      className={`border border-line bg-card p-0 text-ink shadow-xl ${looks[look]}`}
    >
      <div className="flex max-h-[inherit] flex-col">
        <div className="sticky top-0 z-10 flex items-start gap-2 border-b border-line bg-card px-4 py-3">
          <h2 id={id} tabIndex={-1} className="min-w-0 flex-1 text-base font-semibold outline-none">
            {title}
          </h2>
          <KeysWithin value={keys}>{head}</KeysWithin>
          <IconButton label="Close" onClick={onClose} className="-my-1 -mr-2">
            <X size={16} />
          </IconButton>
        </div>
        <div data-body className="px-4 py-4">
          <KeysWithin value={keys}>{children}</KeysWithin>
        </div>
      </div>
    </dialog>
  );
}

/** What is done in the end: in sight, however long the form above it is. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-line bg-card px-4 py-3">
      {children}
    </div>
  );
}

/** The browser would begin with the button that closes it: questions begin with their answer, forms with their first field,
 * what is read with its title. */
function open(dialog: HTMLDialogElement, isRead: boolean): void {
  const isForm = !isRead && dialog.querySelector("[data-body] form") !== null;
  const fields = "input:not([type=checkbox], [type=radio]), textarea, select";
  const first = isForm ? dialog.querySelector<HTMLElement>(`[data-body] :is([data-first], ${fields})`) : null;
  dialog.showModal();
  (first ?? dialog.querySelector("h2"))?.focus();
}
