import type { Action } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { count } from "../text-card.ts";

const BROKEN = 4;
const SILENCE_MS = 600_000;

export const auditVerify: Action<"audit verify"> = async (_, { call, output }) => {
  const report = await call("verifyAudit", { silenceMs: SILENCE_MS });
  output.answer(report, () => {
    const extent = `${count(report.events, "event")} of ${count(report.days, "day")}, ${count(report.journals, "journal")}, ${count(report.ledgers, "day")} of costs`;
    if (report.ok) return `${output.paint("green", "The log is whole")}: ${extent}, up to ${oneLine(report.head)}.`;
    const faults = report.faults.map(
      ({ file, line, reason }) => `  ${oneLine(line === 0 ? file : `${file}:${line}`)}  ${oneLine(reason)}`,
    );
    return [
      `${output.paint("red", "The log is broken")}: ${extent}, ${count(report.faults.length, "fault")}`,
      ...faults,
    ].join("\n");
  });
  return report.ok ? 0 : BROKEN;
};
