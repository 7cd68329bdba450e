import { sectionTitle } from "../../../contract/words/autonomy/briefing-text.ts";
import { BRIEFING_SECTIONS } from "../../../contract/words/autonomy/briefing-words.ts";
import { command } from "../../command.ts";
import { manyLines } from "../../text/plain-text.ts";

export const commands = {
  briefing: command(
    {
      summary: "Show what was done, spent and learned in a day, and what needs you",
      detail:
        "Without a day: today, up to now. Answer the decisions with 'escalation answer'. Set briefing.time to get it every day.",
      args: { day: { kind: "maybe-rest", help: "A day, such as 2026-03-01 (default: today)" } },
      examples: ["briefing", "briefing 2026-03-01", "briefing --json"],
    },
    async ({ day }, { call, output }) => {
      const isToday = day === "" || day === "today";
      const answer = isToday ? await call("getTodaysBriefing", {}) : await call("getBriefing", { params: { day } });
      const { needs } = answer.briefing;
      output.answer(answer, () => {
        const headings = new Set(BRIEFING_SECTIONS.map((name) => sectionTitle(name, needs[name].count)));
        const isHeading = (line: string) => headings.has(line) || /^[A-Z]{4,}[A-Z :]*(?: \(\d+\))?$/.test(line);
        return manyLines(answer.text)
          .split("\n")
          .map((line) => (isHeading(line) ? output.paint("bold", line) : line))
          .join("\n");
      });
      return 0;
    },
  ),
};
