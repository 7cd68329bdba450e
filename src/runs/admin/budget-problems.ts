import { WaitReason } from "../../contract/documents/budget.ts";
import type { Problem } from "../../contract/problem.ts";
import { toldHint } from "../../contract/words/hint.ts";
import { WAIT_WORDS } from "../../contract/words/wait-words.ts";
import type { Ledger } from "../../models/budget/ledger.ts";
import { CONFIG_FILE } from "../../workspace/config-file.ts";
import type { LiveRuns } from "../record/live-runs.ts";

/** What status and doctor have to say of runs that stand still. */
export function waitingProblems(live: Pick<LiveRuns, "waiting">): Problem[] {
  const waiting = live.waiting();
  return WaitReason.options.flatMap((reason) => {
    const runs = waiting.filter((wait) => wait.reason === reason);
    const [first] = runs;
    if (first === undefined) return [];
    const who = runs.length === 1 ? `run ${first.runId} is waiting` : `${runs.length} runs are waiting`;
    const { runId: id, projectId } = first;
    const text = `${who} for ${WAIT_WORDS[reason]}: ${first.text}`;
    const about = runs.length === 1 ? { id, projectId } : {};
    return [{ ...warning(CONFIG_FILE, text), kind: "run" as const, ...about, ...toldHint(first.hintAction) }];
  });
}

/** What may make the ledger say less than was spent, or a day's limit hold for longer than a day. */
export function ledgerProblems(ledger: Pick<Ledger, "damaged" | "isAhead" | "day">): Problem[] {
  const [first] = ledger.damaged;
  const lines = ledger.damaged.length === 1 ? "a line" : `${ledger.damaged.length} lines`;
  return [
    ...(first === undefined
      ? []
      : [{ ...warning(first.file, `${lines} can't be read, so spending may be incomplete`), line: first.line }]),
    ...(ledger.isAhead
      ? [
          warning(
            `costs/${ledger.day}.jsonl`,
            `the clock was set back: all spending counts toward ${ledger.day} until then`,
          ),
        ]
      : []),
  ];
}

function warning(file: string, reason: string): Problem {
  return { file, kind: "config", severity: "warning", reason };
}
