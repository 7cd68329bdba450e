const LONGEST = 160;
/** What stands before the word is of its line: an agent may write very many empty ones. */
const VERDICT = /^[ \t>*_#-]*verdict[*_\s]*[:：-][*_\s]*(\S.*)$/gim;

/** What an opinion comes to, in one line: its verdict, or how it begins. */
export function verdictWords(output: string): string {
  const said = [...output.matchAll(VERDICT)].at(-1)?.[1] ?? output.trim().split("\n", 1)[0] ?? "";
  const line = said.replaceAll(/[*_`]+/g, "").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).toWellFormed()}…`;
}
