import type { Actor, EventDraft } from "../../contract/event.ts";
import type { EscalationRecord } from "../../store/index/escalation-row.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { escalationPath } from "../layout.ts";
import type { Together } from "../together.ts";
import { escalationLock } from "./escalation-lock.ts";

/**
 * Has `purge` remove a project together with its escalations, which go to a folder beside its own in the trash. The log
 * says which ones are gone and not what they said.
 */
export function withEscalationsOf<Result>(
  core: IndexedCore,
  { projectId, trash, actor }: { projectId: string; trash: string; actor: Actor },
  purge: (escalations: Together) => Promise<Result>,
): Promise<Result> {
  const ids = core.index.escalations.idsOf(projectId);
  return core.locks.runAll(ids.map(escalationLock), () => {
    const records = ids.flatMap((id) => core.index.escalations.record(id) ?? []);
    const removed = (record: EscalationRecord): EventDraft => ({
      actor,
      type: "escalation.removed",
      projectId,
      subject: { kind: "escalation", id: record.id },
      before: { status: record.status },
    });
    return purge({
      events: records.map(removed),
      writes: records
        .filter(({ path }) => core.files.exists(path))
        .map(({ path, status, id }) => ({ kind: "move", path, to: `${trash}-${escalationPath(status, id)}` })),
      apply: () => {
        for (const { id, path } of records) {
          core.index.files.remove(path);
          core.index.escalations.remove(id);
        }
      },
    });
  });
}
