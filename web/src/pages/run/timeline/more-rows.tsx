import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { countText } from "../../../ui/figures.tsx";

const STEP = 200;

/** The first rows of a long table; undefined in place of the button when all are there. */
export function useMore<Row>(rows: readonly Row[], what: string) {
  const [most, setMost] = useState(STEP);
  const left = rows.length - most;
  const more = left > 0 && (
    <Button size="small" className="self-center" onClick={() => setMost(most * 5)}>
      Show {countText(Math.min(left, most * 4))} more {what}
    </Button>
  );
  return { shown: left > 0 ? rows.slice(0, most) : rows, more };
}
