import type { Config } from "../../contract/documents/config.ts";
import type { ModelGate } from "../../models/gate.ts";
import type { Models } from "../../models/open-models.ts";
import { hasKey, wellKnown } from "../../models/providers.ts";
import type { GateReviews } from "../../runs/plan/gate-reviews.ts";
import type { Core } from "../../workspace/core.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import type { Judges } from "../gates/subject.ts";
import { ModelTalks, type TalkStore } from "./model-talk.ts";
import { reviewJudge } from "./review-judge.ts";
import { chooseReviewModels, type ReviewModels } from "./review-models.ts";
import { reviewerOver } from "./reviewers.ts";

export interface ReviewOptions {
  core: Core;
  config: Config;
  models: Pick<Models, "defaultModel" | "whyNot" | "isPlayed" | "providers">;
  /** Without secrets. */
  gate: Pick<ModelGate, "ask">;
  reviews: GateReviews;
  secrets: Pick<ProjectSecrets, "of">;
}

/** The judge of the stages that reviewers score, over the hall's runs and models. */
export function openReview(options: ReviewOptions): NonNullable<Judges["review"]> {
  const { core, gate, reviews, secrets } = options;
  const redact = (projectId: string, text: string) => secrets.of(projectId).text(text);
  const talks = new ModelTalks({ gate, store: talkFiles(core), redact });
  return reviewJudge({
    reviewer: reviewerOver(reviews, talks),
    talks,
    modelsFor: (subject) => modelsFor(options, subject),
    redact,
  });
}

function modelsFor(
  { core, config, models }: ReviewOptions,
  { projectId, settings, run }: Parameters<Parameters<typeof reviewJudge>[0]["modelsFor"]>[0],
): ReviewModels {
  return chooseReviewModels({
    reviewModel: settings.reviewModel,
    teams: config.agentTeams,
    projectModel: core.projects.get(projectId)?.model,
    defaultModel: models.defaultModel(),
    usual: models.providers().flatMap((provider) => {
      const model = wellKnown(provider.name)?.model;
      return model === undefined || !hasKey(provider) ? [] : [`${provider.name}/${model}`];
    }),
    author: run?.model,
    whyNot: models.whyNot,
    isPlayed: models.isPlayed,
  });
}

/** A change that is judged again after that is reviewed again. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** projects/<id>/gates/answers/<key>.json */
export function talkFiles({ files, clock }: Pick<Core, "files" | "clock">): TalkStore {
  const folder = (projectId: string) => `${projectRoot(projectId)}/gates/answers`;
  const prune = (projectId: string) => {
    const oldest = clock().getTime() - KEPT_MS;
    for (const name of files.names(folder(projectId))) {
      const path = `${folder(projectId)}/${name}`;
      if ((files.stamp(path)?.mtime ?? oldest) < oldest) files.discard(path);
    }
  };
  return {
    read: (projectId, key) => {
      const path = `${folder(projectId)}/${key}.json`;
      if (!files.exists(path)) return undefined;
      try {
        return JSON.parse(files.text(path));
      } catch {
        return undefined;
      }
    },
    write: async (projectId, key, talk) => {
      const path = `${folder(projectId)}/${key}.json`;
      await files.ensureFolder(folder(projectId));
      // Once for each conversation.
      if (!files.exists(path)) prune(projectId);
      await files.replace(path, JSON.stringify(talk));
    },
  };
}
