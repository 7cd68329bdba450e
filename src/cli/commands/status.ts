import type { Action } from "../context.ts";
import { count, fieldLines, localTime } from "../text-card.ts";

export const status: Action<"status"> = async (_, { call, output }) => {
  const answer = await call("getStatus", {});
  output.answer(answer, () => {
    const { counts, index } = answer;
    const sign = answer.status === "ok" ? output.paint("green", "up") : output.paint("yellow", answer.status);
    return [
      `Guildhall ${answer.version} is ${sign} at ${answer.url}`,
      ...fieldLines(
        [
          ["workspace", answer.workspace],
          ["process", `${answer.pid}, ${answer.memoryMb} MB`],
          ["started", `${localTime(answer.startedAt)} (${duration(answer.uptimeSeconds)} ago)`],
          [
            "holds",
            [count(counts.roles, "role"), count(counts.projects, "project"), count(counts.tasks, "task")].join(", "),
          ],
          ["events", counts.events],
          ["problems", counts.problems === 0 ? "none" : `${counts.problems} ('guildhall doctor' names them)`],
          [
            "index",
            `schema ${index.schema}${index.rebuiltAt === undefined ? "" : `, built ${localTime(index.rebuiltAt)}`}`,
          ],
          ["containment", answer.containment],
        ],
        output.paint,
      ),
    ].join("\n");
  });
  return 0;
};

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
