import { ChangeLog } from "../../src/store/changes/change-log.ts";
import { EventLog, type EventLogOptions } from "../../src/workspace/events/event-log.ts";

/** An event log on a change log of its own. */
export async function openEventLog(
  options: Omit<EventLogOptions, "changes">,
): Promise<EventLog & { close(): Promise<void> }> {
  const changes = await ChangeLog.open(options.files);
  const log = await EventLog.open({ ...options, changes });
  return Object.assign(log, { close: () => changes.close() });
}
