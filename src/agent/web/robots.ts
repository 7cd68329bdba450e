export interface RobotsRule {
  allows: boolean;
  pattern: string;
}

const MOST_RULES = 5_000;
const LONGEST_PATTERN = 2_000;

/** The rules of a robots.txt for one robot, by RFC 9309: its own groups together, else those for everybody. */
export function robotsRules(text: string, robot: string): RobotsRule[] {
  const own: RobotsRule[] = [];
  const everybodys: RobotsRule[] = [];
  let isNamed = false;
  let agents: string[] = [];
  let isInRules = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line.slice(0, LONGEST_PATTERN)) ?? [];
    const field = key.toLowerCase();
    if (field === "user-agent") {
      if (isInRules) agents = [];
      isInRules = false;
      agents.push(value.trim().toLowerCase());
      isNamed ||= agents.includes(robot.toLowerCase());
    } else if (field === "allow" || field === "disallow") {
      isInRules = true;
      const pattern = value.trim();
      if (pattern === "") continue;
      const rule = { allows: field === "allow", pattern };
      if (agents.includes(robot.toLowerCase()) && own.length < MOST_RULES) own.push(rule);
      if (agents.includes("*") && everybodys.length < MOST_RULES) everybodys.push(rule);
    }
  }
  return isNamed ? own : everybodys;
}

/** The longest pattern that fits decides; of two as long, the one that allows. */
export function isPathAllowed(rules: readonly RobotsRule[], path: string): boolean {
  let best: RobotsRule | undefined;
  for (const rule of rules) {
    if (!fits(rule.pattern, path)) continue;
    const more = rule.pattern.length - (best?.pattern.length ?? -1);
    if (more > 0 || (more === 0 && rule.allows)) best = rule;
  }
  return best?.allows ?? true;
}

/** `*` stands for anything and `$` for the end. Takes time in proportion to path times stars, whatever the pattern. */
function fits(pattern: string, path: string): boolean {
  const isToEnd = pattern.endsWith("$");
  const [first = "", ...rest] = (isToEnd ? pattern.slice(0, -1) : pattern).split(/\*+/);
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [number, piece] of rest.entries()) {
    if (isToEnd && number === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece);
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return !isToEnd || rest.length > 0 || at === path.length;
}

/** The name by which a robot is known in robots.txt: the product of its user agent. */
export function robotName(userAgent: string): string {
  return /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? "*";
}
