import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { failureOf } from "../api/failure.ts";
import { IconButton } from "./button.tsx";
import { Hint } from "./hint.tsx";
import { watchers } from "./hooks/watchers.ts";
import { type Deed, type Toast, withToast } from "./toast-list.ts";

const GONE_AFTER_MS = 6_000;
/** There is something to be thought about. */
const GONE_WITH_DEEDS_MS = 20_000;
let toasts: readonly Toast[] = [];
let last = 0;
const changes = watchers();

function show(next: readonly Toast[]): void {
  toasts = next;
  changes.tell();
}

function add(toast: Omit<Toast, "id" | "times">, ms?: number): number {
  const id = ++last;
  show(withToast(toasts, { id, ...toast }));
  // What went wrong stays until it is read.
  if (toast.tone === "good") dismissLater(id, ms ?? (toast.deeds === undefined ? GONE_AFTER_MS : GONE_WITH_DEEDS_MS));
  return id;
}

/** Not while somebody is at it. */
function dismissLater(id: number, ms: number): void {
  setTimeout(() => {
    const isInUse = document.querySelector(`[data-toast="${id}"]:is(:hover, :focus-within)`) !== null;
    if (isInUse) dismissLater(id, GONE_AFTER_MS);
    else dismiss(id);
  }, ms);
}

function dismiss(id: number): void {
  show(toasts.filter((toast) => toast.id !== id));
}

export function tell(title: string, link?: Toast["link"]): void {
  add({ tone: "good", title, link });
}

/** With what can be done about it, for as long as given. Answers how to remove it. */
export function offer(title: string, deeds: readonly Deed[], ms?: number): () => void {
  const id = add({ tone: "good", title, deeds }, ms);
  return () => dismiss(id);
}

export function tellFailure(error: unknown): void {
  const { message, hint } = failureOf(error);
  add({ tone: "bad", title: message, hint });
}

export function Toasts() {
  const shown = useSyncExternalStore(changes.watch, () => toasts);
  return (
    <section
      aria-label="Notices"
      aria-live="polite"
      popover="manual"
      ref={openWhile(shown.length > 0)}
      className="fixed inset-auto right-3 bottom-3 m-0 max-w-[calc(100vw-1.5rem)] border-0 bg-transparent p-0 text-ink max-sm:top-14 max-sm:bottom-auto"
    >
      <ul className="flex w-88 max-w-full flex-col gap-2">
        {shown.map(({ id, tone, title, hint, link, deeds = [], times }) => (
          <li
            key={id}
            data-toast={id}
            role={tone === "bad" ? "alert" : undefined}
            className="flex items-start gap-2 rounded-lg border border-line bg-card px-3 py-2 shadow-lg"
          >
            <div className="min-w-0 flex-1 text-sm">
              <p
                title={title}
                className={`line-clamp-2 font-medium break-words ${tone === "bad" ? "line-clamp-4 text-bad" : ""}`}
              >
                {title}
                {times > 1 && <span className="ml-1 text-xs font-normal text-faint">{times} times</span>}
              </p>
              {hint !== undefined && (
                <p className="text-xs text-faint">
                  <Hint of={hint} />
                </p>
              )}
              {link !== undefined && (
                <Link to={link.to} className="text-accent underline">
                  {link.text}
                </Link>
              )}
              {deeds.length > 0 && (
                <p className="mt-1 flex flex-wrap gap-x-4">
                  {deeds.map(({ text, act }) => (
                    <button
                      key={text}
                      type="button"
                      className="min-h-6 text-accent underline"
                      onClick={() => {
                        dismiss(id);
                        act();
                      }}
                    >
                      {text}
                    </button>
                  ))}
                </p>
              )}
            </div>
            <IconButton label="Close" onClick={() => dismiss(id)} className="-my-1 -mr-2">
              <X size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In the top layer, above dialogs, which would otherwise hide what they led to. Opened anew, it comes to the very top. */
function openWhile(isOpen: boolean) {
  return (element: HTMLElement | null) => {
    if (element === null) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (isOpen) element.showPopover();
  };
}
