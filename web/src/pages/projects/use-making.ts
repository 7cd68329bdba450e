import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { looksLikeAddress, withoutCredentials } from "../../../../src/contract/words/repository-address.ts";
import { randomKey } from "../../api/repeats.ts";
import { tell } from "../../ui/toasts.tsx";
import { linesOf } from "../project/settings/settings-draft.ts";
import { type CloneOrder, cloneRepository } from "./clone-step.ts";
import { makeProject, type Step } from "./make-project.ts";
import { useCandidates } from "./team-picker.tsx";

/** A project as a person writes it down before it is there. */
export interface NewProject {
  /** Or the address of a repository. */
  folder: string;
  /** Where an address is cloned to; empty for the folder that the daemon proposes. */
  cloneInto: string;
  name: string;
  description: string;
  goals: string;
  template: string;
  /** Ids of roles, and of templates of roles. */
  team: readonly string[];
  model: string;
  requireReview: boolean;
  /** Every change to code is judged by gates; only of software. */
  checksAll: boolean;
}

/** The template whose projects have code to check. */
export const SOFTWARE = "software";

/** What is left open is left to the template and to the hall; review is what the person sees ticked or not. */
export function creationOf(given: NewProject): RouteBodyInput<"createProject"> {
  const goals = linesOf(given.goals);
  return {
    name: given.name.trim(),
    description: given.description,
    ...(given.folder.trim() === "" || looksLikeAddress(given.folder) ? {} : { workdir: given.folder.trim() }),
    ...(given.template === "" ? {} : { template: given.template }),
    ...(goals.length === 0 ? {} : { goals }),
    ...(given.model.trim() === "" ? {} : { model: given.model.trim() }),
    config: {
      constraints: { requireReview: given.requireReview },
      ...(given.template === SOFTWARE && given.checksAll ? { qualityGates: { appliesTo: "all" as const } } : {}),
      ...(looksLikeAddress(given.folder) ? { repoUrl: withoutCredentials(given.folder) } : {}),
    },
  };
}

function orderOf({ folder, cloneInto }: NewProject): CloneOrder | undefined {
  if (!looksLikeAddress(folder)) return undefined;
  return { url: folder.trim(), ...(cloneInto.trim() === "" ? {} : { folder: cloneInto.trim() }) };
}

/** Makes the project step by step; trying again goes on where it failed. */
export function useMaking(onMade: (id: string) => void) {
  const client = useQueryClient();
  const candidates = useCandidates();
  const [steps, setSteps] = useState<Step[]>([]);
  const [tried, setTried] = useState<{ as: string; key: string }>();
  const { workFor, cancel } = useCloning();
  const making = useMutation({
    mutationFn: ({ given, key }: { given: NewProject; key: string }) => {
      const team = given.team.flatMap((id) => candidates.find((candidate) => candidate.id === id) ?? []);
      return makeProject({ project: creationOf(given), clone: workFor(orderOf(given)), team, key }, setSteps);
    },
    onSuccess: (id, { given }) => {
      tell(`${given.name} is ready.`);
      void client.invalidateQueries();
      onMade(id);
    },
  });
  const make = (given: NewProject) => {
    const as = JSON.stringify([creationOf(given), orderOf(given)]);
    const key = tried?.as === as ? tried.key : randomKey();
    setTried({ as, key });
    making.mutate({ given, key });
  };
  return { make, cancel, steps, failure: making.error ?? undefined, isBusy: making.isPending };
}

/** What was cloned is not cloned again when a later step failed. */
function useCloning() {
  const done = useRef<{ as: string; folder: string }>(undefined);
  const ending = useRef(new AbortController());
  const workFor = (order: CloneOrder | undefined) => {
    if (order === undefined) return undefined;
    const as = JSON.stringify(order);
    const run = async (onProgress: (text: string) => void) => {
      if (done.current?.as === as) return done.current.folder;
      ending.current = new AbortController();
      const { folder } = await cloneRepository(order, { onProgress, signal: ending.current.signal });
      done.current = { as, folder };
      return folder;
    };
    return { what: `Clone ${withoutCredentials(order.url)}`, run };
  };
  return { workFor, cancel: () => ending.current.abort() };
}
