import { ESCALATION_STATUSES } from "../../contract/documents/escalation-status.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { ESCALATIONS_FOLDER, escalationId, escalationPath } from "../layout.ts";
import { NumberSeries } from "../number-series.ts";

/** One series for the whole workspace, with its mark in escalations/.highwatermark. */
export function escalationNumbers({ files, index }: Pick<IndexedCore, "files" | "index">): NumberSeries {
  const markFile = `${ESCALATIONS_FOLDER}/.highwatermark`;
  return new NumberSeries({
    mark: files.openCounter(markFile),
    markFile,
    highest: () => index.escalations.highestNumber(),
    idOf: escalationId,
    isTaken: (id) => ESCALATION_STATUSES.some((folder) => files.isReached(escalationPath(folder, id))),
  });
}
