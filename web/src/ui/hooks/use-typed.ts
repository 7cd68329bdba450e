import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSettled } from "./use-settled.ts";

/**
 * A text that stands elsewhere, such as in the address, while it is typed: it goes there, trimmed, when the typing pauses, and
 * what is changed there (back and forward, a link) comes into the field.
 */
export function useTyped(value: string, onSettled: (text: string) => void) {
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed).trim();
  const known = useRef(value);
  const pass = useEffectEvent(() => onSettled(settled));
  useEffect(() => {
    if (settled === known.current) return;
    known.current = settled;
    pass();
  }, [settled]);
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setTyped(value);
  }, [value]);
  return { typed, setTyped, settled };
}
