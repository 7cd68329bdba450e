import type { TeamLessons } from "../../contract/documents/teams/team-lessons.ts";
import { repeatedText, weakText } from "../../contract/words/teams/lesson-words.ts";
import { KIND_TABLE, LANGUAGE_NAMES } from "../../contract/words/teams/project-kinds.ts";
import { oneLine } from "../text/plain-text.ts";
import type { TableSpace } from "../text/text-table.ts";

/** The type of the project, and what decided it. */
export function kindLines({ kinds, unread }: TeamLessons): string[] {
  const found = kinds.map(({ kind, language, folder, evidence, skills }) => {
    const where = folder === "" ? "" : ` in ${folder}`;
    const standards = skills.length === 0 ? "" : `; standards: ${skills.join(", ")}`;
    return oneLine(`${KIND_TABLE[kind].name} (${LANGUAGE_NAMES[language]})${where}, by ${evidence}${standards}`);
  });
  return [...found, ...unread.map(({ file, reason }) => oneLine(`Not read: ${file}: ${reason}`))];
}

/** What a team was told when it formed. */
export function lessonLines(lessons: TeamLessons, { paint }: Pick<TableSpace, "paint">): string[] {
  const { gates, weakStages, repeated, statements } = lessons;
  const taught = [
    ...weakStages.map(weakText),
    ...repeated.map((one) => `${repeatedText(one)}, last: ${one.example}`),
    ...statements.map(({ text, confirmed }) => `${text}${confirmed ? "" : " (not confirmed)"}`),
  ].map(oneLine);
  const nothing = `Nothing yet (${gates} gate ${gates === 1 ? "report" : "reports"} searched).`;
  return [
    paint("bold", "Type of project"),
    ...indented(kindLines(lessons), "Unknown: no manifest was found."),
    "",
    paint("bold", "What past teams taught"),
    ...indented(taught, nothing),
  ];
}

function indented(lines: readonly string[], empty: string): string[] {
  return (lines.length === 0 ? [empty] : lines).map((line) => `  ${line}`);
}
