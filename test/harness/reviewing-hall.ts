import { join } from "node:path";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import type { GateReport } from "../../src/contract/documents/quality/gate.ts";
import { QualityGates } from "../../src/contract/documents/quality/quality-gates.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import { openProcesses } from "../../src/processes/open-processes.ts";
import type { GateSubject } from "../../src/quality/gates/subject.ts";
import { openReview } from "../../src/quality/review/open-review.ts";
import { GUARDS } from "../../src/runs/guarding.ts";
import { openRuns } from "../../src/runs/open-runs.ts";
import { openRecord } from "../../src/runs/record/open-record.ts";
import { Files } from "../../src/store/files/files.ts";
import { ProcessNotes } from "../../src/store/host/process-notes.ts";
import { namedSecrets } from "../../src/store/secrets/env-files.ts";
import { KeyRing } from "../../src/store/secrets/key-ring.ts";
import { OwnSecrets } from "../../src/store/secrets/own-secrets.ts";
import { loadConfig } from "../../src/workspace/config-file.ts";
import { QueueNotes } from "../../src/workspace/escalations/queue-notes.ts";
import { openHall } from "../../src/workspace/hall/open-hall.ts";
import { SECRETS_FILE, STATE_FOLDER } from "../../src/workspace/layout.ts";
import { Decisions } from "../../src/workspace/policies/decisions.ts";
import { BUILT_PROJECT } from "./built-program.ts";
import { gitTrees } from "./git-trees.ts";

const clock = () => new Date();

/** The floors below the gates over a workspace that no daemon has, with the judge of the reviewed stages on top. */
export async function openReviewing(workspace: string, env: Record<string, string>) {
  const files = new Files(workspace);
  const config = loadConfig(files);
  const own = new OwnSecrets([]);
  const ring = new KeyRing({ files, path: SECRETS_FILE, environment: env, own });
  own.add(namedSecrets(env));
  const open = await openHall({ workspace, clock, version: "0.0.0", warnings: [], secrets: own });
  const { core, hall } = open;
  const onTrouble = () => undefined;
  const common = { core, hall, config, keys: ring.keys, decisions: new Decisions(core.files), onTrouble };
  const notes = new ProcessNotes(join(workspace, STATE_FOLDER, "processes"));
  await notes.endLeftovers();
  const record = await openRecord({ ...common, ring, own });
  open.attach(record.part);
  const gate = record.models.gate;
  const processes = openProcesses({ ...common, own, secrets: open.secrets, entry: BUILT_PROJECT, notes, gate });
  open.attach(processes.part);
  const queue = new QueueNotes(core);
  const runs = await openRuns({ ...common, queue, record, processes, umask: 0o022, sandbox: sandboxProbe() });
  open.attach(runs.part);
  answerForFloorsAbove(runs);
  core.taskGate.creation.attach(async () => undefined);
  core.taskGate.completion.attach(async () => undefined);
  record.money.led.attach(() => false);
  core.attachments.close();
  await runs.start();
  const review = openReview({
    ...{ core, config, models: record.models, gate: processes.gate, reviews: runs.gateReviews, secrets: open.secrets },
  });
  return {
    review,
    teamRuns: runs.teamRuns,
    desk: runs.desk,
    tasks: hall.tasks,
    runOf: (id: string): Run | undefined => core.runs.get(id)?.run,
    runs: () => core.runs.list({ limit: 100 }).map(({ run }) => run),
    close: async () => {
      runs.stopWaiting();
      await processes.processes.close();
      await runs.close();
      await queue.close();
      await open.close();
    },
  };
}

/** As the floors would that are not here, with nothing to say. */
function answerForFloorsAbove(runs: Awaited<ReturnType<typeof openRuns>>): void {
  for (const name of GUARDS) runs.guarding.add(name, { guardsOf: () => undefined });
  runs.gates.attach({
    judge: async () => ({ is: "pass" }),
    passed: () => undefined,
    judgeAgain: async () => undefined,
  });
  const nobody = () => Promise.reject(new Error("Nobody asks this here."));
  runs.questions.attach({ ask: nobody });
  runs.askers.attach(nobody);
  runs.members.attach({ task: () => "", delegate: nobody });
  runs.agentGuard.attach({ guardsOf: () => undefined, starting: nobody, permit: nobody, called: nobody });
  runs.teamMail.attach({ collect: async () => [], ask: async () => "" });
  runs.teamCaps.attach({ capOf: () => null, setCap: async () => undefined });
}

interface Judged {
  root: string;
  base: string;
  head: string;
  run?: Run | undefined;
  cycle?: number;
  before?: GateReport;
  settings?: object;
  signal?: AbortSignal;
}

/** What a gate judges, between two commits of a repository. */
export async function subjectOf({
  root,
  base,
  head,
  run,
  cycle = 1,
  before,
  settings,
  signal,
}: Judged): Promise<GateSubject> {
  const trees = gitTrees(root);
  const [baseTree = "", tree = ""] = await Promise.all([trees.tree(base), trees.tree(head)]);
  return {
    trees,
    checks: {} as GateSubject["checks"],
    ...{ base, baseTree, head, tree, cycle, before, run, projectId: "shop", type: "feature" },
    changes: await trees.changes(baseTree, tree),
    settings: QualityGates.parse(settings ?? {}),
    signal: signal ?? new AbortController().signal,
  };
}
