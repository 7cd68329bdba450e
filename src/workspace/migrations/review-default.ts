import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import type { Change } from "../change.ts";
import { BY_DAEMON } from "../core.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { REVIEW_FILE } from "../layout.ts";
import type { Projects } from "../projects/projects.ts";
import { statedReview } from "../result-policy.ts";

const ReviewFile = z.looseObject({
  /** False while a start writes the setting out; the next start completes it. */
  done: z.boolean(),
  /** Projects that were merging automatically, and whose owner has not been asked yet. */
  projects: z.array(z.string()),
});
type ReviewFile = z.infer<typeof ReviewFile>;

export function reviewFileText(file: ReviewFile = { done: true, projects: [] }): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

interface Parts {
  core: IndexedCore;
  projects: Pick<Projects, "update">;
}

/**
 * Review before merge became the default for projects with a working folder. Projects from before keep merging
 * automatically, with the setting written out once, and the person is offered the change (decision 0054).
 */
export class ReviewDefault {
  readonly #parts: Parts;
  #known: ReviewFile | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** To be called at a start, before anything is run. A project that cannot be read now gets the new default when it can. */
  async writeOutOnce(): Promise<void> {
    const known = this.#read();
    if (known?.done === true) return;
    const unset = this.#open().filter((project) => statedReview(project) === undefined);
    const projects = [...new Set([...(known?.projects ?? []), ...unset.map(({ id }) => id)])];
    await this.#write({ done: false, projects });
    for (const { id } of unset) await this.#set(id, false, { actor: BY_DAEMON });
    await this.#write({ done: true, projects });
  }

  /** Ids of the projects for which the change is offered. */
  offered(): string[] {
    const listed = new Set(this.#read()?.projects);
    if (listed.size === 0) return [];
    return this.#open().flatMap((project) =>
      listed.has(project.id) && statedReview(project) === false ? [project.id] : [],
    );
  }

  /** Turns review on for the offered projects, or keeps them as they are. Answers the ids of the changed ones. */
  async answer(enable: boolean, change: Change): Promise<string[]> {
    if (change.actor.kind !== "person")
      throw new HallError("forbidden", "Only a person can change the review setting of existing projects.", {
        hint: "Ask the person.",
      });
    const changed = enable ? this.offered() : [];
    for (const id of changed) await this.#set(id, true, { actor: change.actor });
    await this.#write({ done: true, projects: [] });
    return changed;
  }

  async #set(id: string, requireReview: boolean, change: Change): Promise<void> {
    await this.#parts.projects.update(id, { config: { constraints: { requireReview } } }, change);
  }

  /** Projects with a working folder that can be read and changed. */
  #open() {
    const { projects } = this.#parts.core.index;
    return projects.workdirs().flatMap(({ id, status }) => {
      const project = status === "invalid" || status === "archived" ? undefined : projects.get(id);
      return project === undefined ? [] : [project];
    });
  }

  /** A file that cannot be read counts as missing: the next start writes out what is unset, and nothing else changes. */
  #read(): ReviewFile | undefined {
    const { files } = this.#parts.core;
    try {
      this.#known ??= ReviewFile.parse(JSON.parse(files.text(REVIEW_FILE)));
    } catch {
      return undefined;
    }
    return this.#known;
  }

  async #write(file: ReviewFile): Promise<void> {
    await this.#parts.core.files.replace(REVIEW_FILE, reviewFileText(file));
    this.#known = file;
  }
}
