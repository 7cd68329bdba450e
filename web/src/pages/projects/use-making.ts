import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { randomKey } from "../../api/repeats.ts";
import { tell } from "../../ui/toasts.tsx";
import { linesOf } from "../project/settings/settings-draft.ts";
import { makeProject, type Step } from "./make-project.ts";
import { useCandidates } from "./team-picker.tsx";

/** A project as a person writes it down before it is there. */
export interface NewProject {
  folder: string;
  name: string;
  description: string;
  goals: string;
  template: string;
  /** Ids of roles, and of templates of roles. */
  team: readonly string[];
  model: string;
  requireReview: boolean;
}

/** What is left open is left to the template and to the hall; review is what the person sees ticked or not. */
export function creationOf(given: NewProject): RouteBodyInput<"createProject"> {
  const goals = linesOf(given.goals);
  return {
    name: given.name.trim(),
    description: given.description,
    ...(given.folder.trim() === "" ? {} : { workdir: given.folder.trim() }),
    ...(given.template === "" ? {} : { template: given.template }),
    ...(goals.length === 0 ? {} : { goals }),
    ...(given.model.trim() === "" ? {} : { model: given.model.trim() }),
    config: { constraints: { requireReview: given.requireReview } },
  };
}

/** Makes the project step by step; trying again goes on where it failed. */
export function useMaking(onMade: (id: string) => void) {
  const client = useQueryClient();
  const candidates = useCandidates();
  const [steps, setSteps] = useState<Step[]>([]);
  const [tried, setTried] = useState<{ as: string; key: string }>();
  const making = useMutation({
    mutationFn: ({ given, key }: { given: NewProject; key: string }) => {
      const team = given.team.flatMap((id) => candidates.find((candidate) => candidate.id === id) ?? []);
      return makeProject({ project: creationOf(given), team, key }, setSteps);
    },
    onSuccess: (id, { given }) => {
      tell(`${given.name} is ready.`);
      void client.invalidateQueries();
      onMade(id);
    },
  });
  const make = (given: NewProject) => {
    const as = JSON.stringify(creationOf(given));
    const key = tried?.as === as ? tried.key : randomKey();
    setTried({ as, key });
    making.mutate({ given, key });
  };
  return { make, steps, failure: making.error ?? undefined, isBusy: making.isPending };
}
