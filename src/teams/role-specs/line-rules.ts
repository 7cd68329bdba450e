import type { RoleSpecFault } from "../../contract/documents/teams/role-spec.ts";

type LineFault = Omit<RoleSpecFault, "line">;
type LineRule = LineFault & { pattern: RegExp };

/**
 * What no line of a role-spec may have, in code blocks and comments either: members read them. Some patterns take quadratic time, so lines are
 * short; see the linter.
 */
export const LINE_RULES: readonly LineRule[] = [
  {
    rule: "no-inner-loop",
    pattern: /\b5[-‐‑–—][LF]\b|\bPhase\s+5\s?[-‐‑–—]?\s?[LF]\b/i,
    message: "loop steps belong to Guildhall; use inner_loop in the frontmatter",
    severity: "error",
  },
  {
    rule: "no-bus-calls",
    pattern: /(?<![A-Za-z0-9])team_msg(?![A-Za-z0-9])|\bSendMessage\b/,
    message: "messages are sent by Guildhall; remove the call",
    severity: "error",
  },
  {
    rule: "no-consensus",
    pattern: /(?<![A-Za-z0-9])consensus[-_](?:reached|blocked)/i,
    message: "consensus is handled by Guildhall; remove it",
    severity: "error",
  },
  {
    rule: "placeholders",
    pattern: /\{\{|\$\{|<%|(?<![\w$])\$[A-Z][A-Z_]+\b|%\([a-z_]+\)s|\[(?:TODO|TBD|INSERT)\b/,
    message: "placeholders are written <name>",
    severity: "error",
  },
  {
    rule: "subagents-by-name",
    pattern: /\bspawn_subagent\b/,
    message: "name the subagent; Guildhall knows how it is called",
    severity: "error",
  },
  {
    rule: "subagents-by-name",
    pattern: /\bsubagent_type\b|\brun_in_background\b/,
    message: "name the subagent in a sentence; Guildhall knows how it is called",
    severity: "warning",
  },
];

/** Placeholders that are data in code: `/api/teams/{id}`. */
const IN_PROSE: LineRule = {
  rule: "placeholders",
  pattern: /(?<![\w{])\{[A-Za-z][\w-]*\}|%[A-Z][A-Z_]+%/,
  message: "placeholders are written <name>",
  severity: "error",
};

/** As they begin a line, after the marks of lists and quotes. Sentences begin with a capital letter, and don't end like code. */
const PSEUDOCODE: readonly RegExp[] = [
  /^\}?\s*(?:if|while|for|foreach|switch|else if|catch)\s*\(.*\)\s*\{?\s*$/,
  /^(?:IF|ELSE IF|ELSIF|WHILE|FOR EACH|FOREACH|FOR|UNTIL)\s.*(?:THEN|DO|:)\s*$/,
  /^(?:IF|WHILE)\s.*\s(?:THEN|DO)\s/,
  /^(?:ELSE|REPEAT|BEGIN|END ?IF|END ?WHILE|END ?FOR)\s*:?\s*$/,
  /^(?:if|elif|while|until|for)\s.*\s(?:then|do)\s*$|^(?:end ?(?:if|while|for)|fi)\s*;?\s*$/,
  /^(?:async )?function\s+\w+\s*\(|^(?:async )?def \w+\(.*\).*:\s*$/,
  /^(?:const|let|var)\s+(?:\w+|[[{].*[\]}])\s*(?::[^=]*)?=/,
  /^\}?\s*(?:else|try|do|finally)\s*\{\s*$|^else\s*:\s*$|^try\s*:\s*$|^except\b.*:\s*$|^elif\s.*:\s*$/,
  /^(?:if|while)\s.*(?:[=!<>]=|[<>]|&&|\|\|).*:\s*$|^while\s.*:\s*$/,
  /^for\s+\w+(?:,\s*\w+)?\s+in\s+[\w.]+(?:\(.*\))?:\s*$|^for ?each\s+\w+\s+(?:in|of)\s+\w+\s*:\s*$/,
  /^return\s+\S+;\s*$|^return(?:\s+(?:None|null|undefined|true|false|True|False|\w+\(.*\)))?\s*;?\s*$/,
  /^(?:SET\s+)?[a-z][\w.]*\s*(?:=|:=|←|<-|\+=)\s*(?:await\s+)?[\w.]+\(.*\)\s*;?\s*$|^\w[\w.]*\s+(?::=|←|<-)\s/,
  /^await\s+[\w.]+\(|=>\s*\{\s*$/,
];
const MARKS = /^(?:\s|[-*+>]\s|\d+[.)]\s)*/;
const INLINE_CODE = /`[^`]*`/g;

/** What is wrong with one line. A line has one fault of a rule at most. */
export function lineFaults(line: string): LineFault[] {
  const seen = line.replaceAll(/\p{Cf}/gu, "");
  const faults = LINE_RULES.flatMap(({ pattern, ...fault }) => (pattern.test(seen) ? [fault] : []));
  const { pattern: inProse, ...placeholder } = IN_PROSE;
  if (inProse.test(seen.replaceAll(INLINE_CODE, ""))) faults.push(placeholder);
  const code = seen.replace(MARKS, "");
  if (PSEUDOCODE.some((pattern) => pattern.test(code)))
    faults.push({
      rule: "no-pseudocode",
      message: "is pseudocode; use a decision table or plain sentences",
      severity: "error",
    });
  return faults.filter((fault, at) => faults.findIndex(({ rule }) => rule === fault.rule) === at);
}
