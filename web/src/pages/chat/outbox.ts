import { useState } from "react";
import type { Unsent } from "./talk-state.ts";

/** What the person wrote and the daemon does not have: it outlives the panel and a reload of the page. */
interface Kept {
  draft: string;
  unsent: Unsent[];
}

const NOT_SENT = "The page closed before the message was sent.";

export interface Outbox extends Kept {
  write(draft: string): void;
  put(unsent: Unsent): void;
  take(id: string): void;
}

export function useOutbox(channel: string): Outbox {
  const name = `guildhall.talk.${channel}`;
  const [kept, setKept] = useState(() => read(name));
  const change = (how: (before: Kept) => Kept) =>
    setKept((before) => {
      const after = how(before);
      keep(name, after);
      return after;
    });
  return {
    ...kept,
    write: (draft) => change((before) => ({ ...before, draft })),
    put: (one) =>
      change((before) => ({ ...before, unsent: [...before.unsent.filter(({ id }) => id !== one.id), one] })),
    take: (id) => change((before) => ({ ...before, unsent: before.unsent.filter((each) => each.id !== id) })),
  };
}

function read(name: string): Kept {
  try {
    const { draft, unsent } = JSON.parse(sessionStorage.getItem(name) ?? "{}") as Partial<Kept>;
    return { draft: draft ?? "", unsent: (unsent ?? []).map((one) => ({ why: NOT_SENT, ...one })) };
  } catch {
    return { draft: "", unsent: [] };
  }
}

/** A full or forbidden storage must not keep anybody from speaking. */
function keep(name: string, { draft, unsent }: Kept): void {
  try {
    if (draft === "" && unsent.length === 0) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify({ draft, unsent }));
  } catch {}
}
