import { randomBytes } from "node:crypto";
import type { Config } from "../contract/documents/config.ts";
import type { ModelGate } from "../models/gate.ts";
import { ProcessNotes } from "../store/host/process-notes.ts";
import { makeSnapshot } from "../store/host/start-snapshot.ts";
import { fingerprintsOf } from "../store/secrets/fingerprints.ts";
import type { OwnSecrets } from "../store/secrets/own-secrets.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { HallPart } from "../workspace/hall/hall-part.ts";
import { STATE_FOLDER } from "../workspace/layout.ts";
import type { ProjectSecrets } from "../workspace/projects/project-secrets.ts";
import { gateWithChangedModels } from "./changed-models.ts";
import { CrashReports } from "./crash-reports.ts";
import { gitGuardQuestions } from "./git-guard-questions.ts";
import { knowledgeQuestions } from "./knowledge-questions.ts";
import { Processes } from "./processes.ts";
import { projectPlaces } from "./project-places.ts";
import { redactedGate } from "./redacted-gate.ts";

/** An installed package has no start-up snapshot yet. It is made when the first runs have started. */
const SNAPSHOT_AFTER_MS = 20_000;

export interface ProcessesOptions {
  core: Core;
  hall: Hall;
  config: Config;
  /** The daemon's own, of which processes get fingerprints. */
  own: OwnSecrets;
  /** Hides these, and those of each project. */
  secrets: ProjectSecrets;
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
export function openProcesses({ core, hall, config, secrets, entry, notes, onTrouble, ...options }: ProcessesOptions) {
  const gate = redactedGate(gateWithChangedModels(options.gate, core.runs), (projectId) => secrets.of(projectId));
  const { own } = options;
  const salt = randomBytes(32);
  let fingerprints = fingerprintsOf(own.all, salt);
  const placeOf = projectPlaces({ core, config, fingerprints: () => fingerprints });
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
      ...knowledgeQuestions({ knowledge: hall.knowledge, taskOf: (runId) => core.runs.get(runId)?.run.taskId }),
    },
    reports,
    onTrouble,
  });
  own.onAdded(() => {
    fingerprints = fingerprintsOf(own.all, salt);
    processes.tellAll({ type: "secrets", fingerprints });
  });
  setTimeout(() => void makeSnapshot(entry), SNAPSHOT_AFTER_MS).unref();
  const part: HallPart = { problems: () => reports.problems() };
  return { processes, secrets, gate, placeOf, part };
}
