import { useState } from "react";
import type { ProjectView } from "../../../../../src/contract/project-routes.ts";
import { changeOf, draftOf, overtakenBy, type SettingsDraft } from "./settings-draft.ts";

/** The settings as they are now, with what the person typed over them: a field nobody touches stays live. */
export function useSettingsDraft(project: ProjectView) {
  const now = draftOf(project);
  const [typed, setTyped] = useState<Partial<SettingsDraft>>({});
  /** What the fields held when the person began with them. */
  const [from, setFrom] = useState<Partial<SettingsDraft>>({});
  const draft = { ...now, ...typed };
  return {
    draft,
    change: changeOf(now, draft),
    overtaken: overtakenBy(now, from, typed),
    set: (part: Partial<SettingsDraft>) => {
      const before = Object.fromEntries(Object.keys(part).map((key) => [key, now[key as keyof SettingsDraft]]));
      setTyped((all) => ({ ...all, ...part }));
      setFrom((all) => ({ ...before, ...all }));
    },
    clear: () => {
      setTyped({});
      setFrom({});
    },
  };
}
