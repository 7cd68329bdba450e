import { cutText } from "../../contract/words/cut-text.ts";

const SUMMARY = /^> Summary:[ \t]*(\S.*)$/m;
const LONGEST_SUMMARY = 200;

export function summaryOf(text: string): string | undefined {
  return SUMMARY.exec(text)?.[1]?.trim();
}

/** A fact with the line that says what is in it; made from its first words where it has none. */
export function withSummary(text: string): string {
  if (summaryOf(text) !== undefined) return text;
  const bare = text.replace(/^> Summary:.*\n?/m, "");
  const lines = bare.split("\n");
  const words = lines.find((line) => line.trim() !== "" && !line.startsWith("#")) ?? lines[0] ?? "";
  const short = words.replace(/^[\s#>*-]+/, "").trim();
  const summary = `> Summary: ${cutText(short, LONGEST_SUMMARY) || "(empty)"}`;
  const [first = "", ...rest] = lines;
  if (first.startsWith("#")) return [first, "", summary, ...(rest[0] === "" ? rest : ["", ...rest])].join("\n");
  return `${summary}\n\n${bare}`;
}
