import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { code } from "../../../../api/code.ts";
import type { DiffFile, DiffLine } from "../diff-model.ts";
import { languageOf } from "./languages.ts";
import { type Highlight, LineColors, type Segment } from "./line-colors.ts";

const load = code(() => import("./highlighter.ts"));

const Colors = createContext<LineColors | undefined>(undefined);
export const ColorsOf = Colors.Provider;

/** Colors for the lines of some files; undefined until the highlighter is there, which is loaded only where it is needed. */
export function useColors(files: readonly Pick<DiffFile, "path" | "hunks">[]): LineColors | undefined {
  const [highlight, setHighlight] = useState<Highlight>();
  const isWanted = files.some(({ path }) => languageOf(path) !== undefined);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    load().then(
      (loaded) => {
        if (!isGone) setHighlight(() => loaded.highlight);
      },
      // Without it, all is there to be read all the same.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return useMemo(() => (highlight === undefined ? undefined : new LineColors(files, highlight)), [files, highlight]);
}

export function useLineColors(line: DiffLine): Segment[] | undefined {
  return useContext(Colors)?.of(line);
}
