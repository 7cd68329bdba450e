import { type Hint, hintText } from "../../../src/contract/words/hint.ts";
export interface Toast {
  id: number;
  tone: "good" | "bad";
  title: string;
  hint?: Hint | undefined;
  /** Where what it tells of is to be seen. */
  link?: { text: string; to: string } | undefined;
  /** What can be done about it, for as long as it is shown. */
  deeds?: readonly Deed[] | undefined;
  /** How often it was said without having gone in between. */
  times: number;
}

export interface Deed {
  text: string;
  act: () => void;
}

const MOST = 3;

/** With one more: what is said again stands once and counts; of more than three the oldest goes, a failure last. */
export function withToast(toasts: readonly Toast[], said: Omit<Toast, "times">): Toast[] {
  const isSame = ({ tone, title, hint }: Toast) =>
    tone === said.tone && title === said.title && sameHint(hint, said.hint);
  const times = 1 + (toasts.find(isSame)?.times ?? 0);
  const next = [...toasts.filter((toast) => !isSame(toast)), { ...said, times }];
  if (next.length <= MOST) return next;
  const good = next.findIndex(({ tone, id }) => tone === "good" && id !== said.id);
  return next.toSpliced(Math.max(0, good), 1);
}

function sameHint(one: Hint | undefined, other: Hint | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && hintText(one) === hintText(other));
}
