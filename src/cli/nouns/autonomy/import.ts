import { resolve } from "node:path";
import type { ImportEntry, ImportKind, ImportReport } from "../../../contract/documents/autonomy/import.ts";
import { HallError } from "../../../contract/errors.ts";
import { LEFT_OUT_WORDS } from "../../../contract/words/autonomy/import-words.ts";
import { command } from "../../command.ts";
import { agrees } from "../../confirming.ts";
import type { Output } from "../../output.ts";
import { yes } from "../../shared-options.ts";
import { oneLine } from "../../text/plain-text.ts";

const KINDS = ["superbot", "openclaw", "claude-code"] as const;

export const commands = {
  import: command(
    {
      summary: "Import from a folder of superbot, OpenClaw or Claude Code",
      detail:
        "Shows first what would be imported, and asks. Nothing is overwritten, keys are not imported, and importing again adds only what is new. " +
        "Triggers start paused, and skills wait until you accept them.",
      args: { folder: { kind: "one", help: "Folder, such as ~/.superbot2, ~/.openclaw or a repository" } },
      options: {
        from: { kind: "text", value: "TOOL", help: "Tool it belongs to (default: detected)", words: KINDS },
        dryRun: { kind: "flag", help: "Only show what would be imported" },
        yes,
      },
      examples: ["import ~/.superbot2 --dry-run", "import ~/.openclaw --yes", "import ~/src/shop --from claude-code"],
    },
    async ({ folder, from, dryRun, yes }, { call, host, output }) => {
      if (dryRun === true && yes === true) throw new HallError("usage", "--dry-run and --yes can't be combined.");
      const asked = { folder: resolve(folder), from: from as ImportKind | undefined };
      const run = (dry: boolean) => call("importFolder", { body: { ...asked, dryRun: dry } });
      if (yes !== true) {
        const planned = await run(true);
        const isAsking = dryRun !== true && host.input.canAsk && planned.report.counts.new > 0;
        if (!isAsking) return told(planned, output);
        output.note(textOf(planned.report, output));
        if (!agrees(await host.input.ask("Import this? [y/N] "))) {
          output.note("No changes made.");
          return 0;
        }
      }
      return told(await run(false), output);
    },
  ),
};

function told(answer: { report: ImportReport }, output: Output): number {
  output.answer(answer, () => textOf(answer.report, output));
  return answer.report.counts.broken === 0 ? 0 : 4;
}

function textOf({ kind, folder, dryRun, entries, counts }: ImportReport, output: Output): string {
  if (entries.length === 0) return `Nothing to import in ${oneLine(folder)}.`;
  const done = dryRun ? `${counts.new} would be imported` : `${counts.imported} imported`;
  const sum = `${done}, ${counts.exists} exist already, ${counts.left_out} left out, ${counts.broken} broken.`;
  const next = dryRun && counts.new > 0 ? [`Import it: ${output.calledAs} import ${oneLine(folder)} --yes`] : [];
  return [`From ${kind}: ${oneLine(folder)}`, ...entries.map(lineOf), sum, ...next].join("\n");
}

function lineOf({ state, thing, source, line, id, projectId, reason, detail }: ImportEntry): string {
  const place = line === undefined ? source : `${source}:${line}`;
  const what = id === undefined ? "" : ` → ${projectId === undefined ? "" : `${projectId}/`}${id}`;
  const why = [reason === undefined ? "" : LEFT_OUT_WORDS[reason], detail ?? ""].filter((text) => text !== "");
  return oneLine(
    `  ${state.replace("_", " ").padEnd(8)}  ${thing.padEnd(10)}  ${place}${what}${why.length === 0 ? "" : `  (${why.join(": ")})`}`,
  );
}
