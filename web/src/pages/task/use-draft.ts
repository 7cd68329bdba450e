import { useState } from "react";
import { failureOf } from "../../api/failure.ts";
import { type Draft, isContested, isDirty, keepDraft, keptDraft } from "./draft.ts";
import { Contested } from "./save-task.ts";

export interface Drafting<Value> {
  draft: Draft<Value> | undefined;
  isContested: boolean;
  isSaving: boolean;
  problem: string | undefined;
  begin: () => void;
  type: (mine: Value) => void;
  /** Leaves the field as it is, whoever wrote it. */
  drop: () => void;
  keepMine: () => void;
  save: () => Promise<void>;
}

/** Editing one field: `save` gets what was typed and what it was typed over. */
export function useDraft<Value>(
  key: string,
  live: Value,
  save: (draft: Draft<Value>) => Promise<void>,
): Drafting<Value> {
  const [draft, setDraft] = useState<Draft<Value> | undefined>(() => keptDraft<Value>(key));
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const put = (next: Draft<Value> | undefined) => {
    keepDraft(key, next);
    setDraft(next);
    setProblem(undefined);
  };
  return {
    draft,
    isContested: draft !== undefined && isContested(draft, live),
    isSaving,
    problem,
    begin: () => {
      if (draft === undefined) put({ base: live, mine: live });
    },
    type: (mine) => put({ base: draft?.base ?? live, mine }),
    drop: () => put(undefined),
    keepMine: () => {
      if (draft !== undefined) put({ base: live, mine: draft.mine });
    },
    save: async () => {
      if (draft === undefined || isSaving || isContested(draft, live)) return;
      if (!isDirty(draft)) return put(undefined);
      setSaving(true);
      try {
        await save(draft);
        put(undefined);
      } catch (error) {
        // The live update shows what they wrote, and lets the person choose.
        if (!(error instanceof Contested)) setProblem(failureOf(error).message);
      } finally {
        setSaving(false);
      }
    },
  };
}
