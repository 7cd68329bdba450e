import { randomBytes } from "node:crypto";
import type { Config } from "../contract/config.ts";
import type { ModelGate } from "../models/gate.ts";
import { fingerprintsOf } from "../store/fingerprints.ts";
import type { KnownSecret } from "../store/known-values.ts";
import { ProcessNotes } from "../store/process-notes.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall.ts";
import type { HallPart } from "../workspace/hall-part.ts";
import { filledByTheHall, projectRoot, STATE_FOLDER } from "../workspace/layout.ts";
import { CrashReports } from "./crash-reports.ts";
import { gitGuardQuestions } from "./git-guard-questions.ts";
import { knowledgeQuestions } from "./knowledge-questions.ts";
import { Processes } from "./processes.ts";
import { projectOf, projectPlaces } from "./project-places.ts";
import { ProjectSecrets } from "./project-secrets.ts";
import { redactedGate } from "./redacted-gate.ts";

export interface ProcessesOptions {
  core: Core;
  hall: Hall;
  config: Config;
  /** What must never be shown anywhere. */
  secrets: readonly KnownSecret[];
  /** The file a project's process runs. */
  entry: string;
  notes: ProcessNotes;
  gate: Pick<ModelGate, "ask">;
  onTrouble: (what: string, error: unknown) => void;
}

export type OpenProcesses = ReturnType<typeof openProcesses>;

/** Ends what an earlier daemon left behind: two processes of a project would write the same journals. */
export async function endLeftoverProcesses({ files }: Core): Promise<ProcessNotes> {
  const notes = new ProcessNotes(`${files.root}/${STATE_FOLDER}/processes`);
  await notes.endLeftovers();
  return notes;
}

/** Wires the processes of projects with where they work, what they may ask and what they must not see. */
export function openProcesses({ core, hall, config, entry, notes, onTrouble, ...options }: ProcessesOptions) {
  const secrets = projectSecrets(core, options.secrets);
  core.events.hideBy((projectId) => secrets.of(projectId));
  hall.knowledge.hideBy((projectId = "") => {
    const project = projectOf(core, projectId);
    return project === undefined ? secrets.of(projectId) : secrets.read(project);
  });
  const gate = redactedGate(options.gate, (projectId) => secrets.of(projectId));
  const placeOf = projectPlaces({ core, config, fingerprints: fingerprintsOf(options.secrets, randomBytes(32)) });
  const reports = new CrashReports(core, hall);
  const processes = new Processes({
    entry,
    gate,
    toolSlots: config.limits.toolCalls,
    parkAfterMs: config.projects.parkAfterMinutes * 60_000,
    notes,
    placeOf,
    questions: {
      ...gitGuardQuestions(core),
      ...knowledgeQuestions({ knowledge: hall.knowledge, taskOf: (runId) => core.index.runs.get(runId)?.run.taskId }),
    },
    reports,
    onTrouble,
  });
  const part: HallPart = { problems: () => reports.problems() };
  return { processes, secrets, gate, placeOf, part };
}

function projectSecrets(core: Core, own: readonly KnownSecret[]): ProjectSecrets {
  return new ProjectSecrets({
    own,
    foldersOf: (project) => {
      const root = `${core.files.root}/${projectRoot(project.id)}`;
      const place = core.workdirRecords.placeOf(project);
      return { folders: typeof place === "string" ? [place, root] : [root], passedOver: filledByTheHall(root) };
    },
    find: (projectId) => projectOf(core, projectId),
  });
}
