import type { RoleSpecRule } from "../../contract/words/teams/role-spec-words.ts";

interface LineRule {
  rule: RoleSpecRule;
  pattern: RegExp;
  message: string;
}

/** What no line of a role-spec may have. Some patterns take quadratic time, so lines are short; see the linter. */
export const LINE_RULES: readonly LineRule[] = [
  {
    rule: "phases-2-to-4",
    pattern: /^#{1,6}\s*Phase\s+(?![234]\b)\d+(?!-[LF]\b)/i,
    message: "only phases 2, 3 and 4 belong here; Guildhall finds the task and takes the report",
  },
  {
    rule: "no-inner-loop",
    pattern: /\b5-[LF]\b/,
    message: "loop steps belong to Guildhall; use inner_loop in the frontmatter",
  },
  {
    rule: "no-bus-calls",
    pattern: /\bteam_msg\b|\bSendMessage\s*\(/,
    message: "messages are sent by Guildhall; remove the call",
  },
  {
    rule: "no-consensus",
    pattern: /\bconsensus_(?:reached|blocked)\b/,
    message: "consensus is handled by Guildhall; remove it",
  },
  {
    rule: "no-pseudocode",
    pattern:
      /^\s*(?:(?:if|while|for|foreach|switch)\s*\(.*\)\s*\{?\s*$|(?:IF|WHILE|FOR EACH|FOREACH|FOR)\s.*(?:THEN|DO|:)\s*$|(?:END ?IF|END ?WHILE|END ?FOR)\s*$|(?:async )?function\s+\w+\s*\(|(?:const|let|var)\s+\w+\s*=|\}?\s*else\s*(?:if\b.*)?\{\s*$|def \w+\(.*\):\s*$)/,
    message: "is pseudocode; use a decision table or plain sentences",
  },
  {
    rule: "placeholders",
    pattern: /\{\{|\$\{|<%|(?<![\w$])\$[A-Z][A-Z_]+\b|%\([a-z_]+\)s|\[(?:TODO|TBD|INSERT)\b/,
    message: "placeholders are written <name>",
  },
  {
    rule: "subagents-by-name",
    pattern: /\bsubagent_type\b|\brun_in_background\b|\bspawn_subagent\b/,
    message: "name the subagent; Guildhall knows how it is called",
  },
];
