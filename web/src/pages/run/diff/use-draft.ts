import { useState } from "react";

export interface Draft {
  text: string;
  write: (text: string) => void;
  /** As a new line at the end. */
  add: (text: string) => void;
}

const nameFor = (id: string) => `guildhall.feedback.${id}`;

/** What is to be said about a result or a question, by its id; it outlives the page until it is sent. */
export function useDraft(id: string): Draft {
  const name = nameFor(id);
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? "");
  const write = (next: string) => {
    if (next === "") sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, next);
    setText(next);
  };
  const add = (more: string) => write(text.trim() === "" ? more : `${text.trimEnd()}\n${more}`);
  return { text, write, add };
}

/** It was sent. */
export function forgetDraft(id: string): void {
  sessionStorage.removeItem(nameFor(id));
}
