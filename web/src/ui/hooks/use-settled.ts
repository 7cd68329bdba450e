import { useEffect, useEffectEvent, useState } from "react";

const PAUSE_MS = 200;

/** What is typed, once the typing pauses. Values that read the same as JSON are the same. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const settle = useEffectEvent(() => setSettled(value));
  const text = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the pause anew
  useEffect(() => {
    const pause = setTimeout(settle, PAUSE_MS);
    return () => clearTimeout(pause);
  }, [text]);
  return settled;
}
