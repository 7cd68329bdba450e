import { hintText } from "../../contract/words/hint.ts";
import { type NowGroup, type NowItem, nowGroups } from "../../contract/words/now-words.ts";
import { command } from "../command.ts";
import { money } from "../runs/run-text.ts";
import { oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";
import type { TableSpace } from "../text/text-table.ts";
import { wrapProse } from "../text/text-wrap.ts";

const MOST_SHOWN = 10;

export const commands = {
  now: command(
    {
      summary: "Show what needs you, what is in review and what is running",
      detail: "The same as the dashboard's Now page.",
      examples: ["now", "now --json"],
    },
    async (_, { call, output }) => {
      const answer = await call("getNow", {});
      output.answer(answer, () => {
        const { today, counts } = answer;
        const limit = today.dayUsd === null ? "" : ` of ${money(today.dayUsd)}`;
        const spent = `${money(today.costUsd, today.costKnown)}${limit} spent today`;
        const running = `${count(counts.running, "agent")} running, ${counts.pending} queued, ${counts.waiting} waiting`;
        const groups = nowGroups(answer);
        const isQuiet = groups.every(({ kind }) => kind === "recent");
        return [
          `${running} · ${spent}`,
          ...(isQuiet ? ["", "You're all caught up."] : []),
          ...groups.flatMap((group) => groupLines(group, { ...output, calledAs: output.calledAs })),
        ].join("\n");
      });
      return 0;
    },
  ),
};

type Space = TableSpace & { calledAs: string };

function groupLines({ title, count: all, items }: NowGroup, space: Space): string[] {
  const shown = items.slice(0, MOST_SHOWN);
  const more = all > shown.length ? [`  and ${all - shown.length} more`] : [];
  return ["", space.paint("bold", `${title} (${all})`), ...shown.flatMap((item) => itemLines(item, space)), ...more];
}

function itemLines({ title, projectId, state, detail, ref, hint }: NowItem, space: Space): string[] {
  const place = [projectId, ref].filter((part) => part !== undefined).join(" · ");
  const why = [detail ?? "", hint === undefined ? "" : hintText(hint, space.calledAs)].filter((part) => part !== "");
  return [
    `  ${space.paint("bold", oneLine(title))}  ${oneLine(state)}${place === "" ? "" : space.paint("dim", `  ${place}`)}`,
    ...(why.length === 0
      ? []
      : wrapProse(oneLine(why.join(" ")), space.width === undefined ? undefined : space.width - 4)
          .split("\n")
          .map((line) => `    ${line}`)),
  ];
}
