import { SUBAGENTS } from "../../contract/words/teams/role-spec-words.ts";

interface NamedSubagent {
  name: string;
  /** Quoted, or the name of one that exists. Another word before 'subagent' may only say something about it. */
  isSure: boolean;
}

const QUOTED = /[`'"]([a-z][a-z0-9-]*)[`'"] subagents?\b|\bsubagents? [`'"]([a-z][a-z0-9-]*)[`'"]/g;
const CALLED = /\bsubagent_type\b["'`]?\s*(?:[:=]|to)\s*["'`]?([a-z][a-z0-9-]*)/g;
const PLAIN = /(?<![`'"\w-])([a-z][a-z0-9-]*) subagents?\b/g;

/** Words that are no names. */
const NO_NAMES: ReadonlySet<string> = new Set(
  (
    "a the an each every one this that these those any no some which what whose its your their our his her my " +
    "other another same own first second third last next new old single separate different additional further " +
    "appropriate suitable matching right wrong best listed named known chosen available alternative existing " +
    "only whole both all more many several two three and or if when of to by with from for as call calling called " +
    "start ask use whichever parallel independent failed finished"
  ).split(" "),
);

/** The subagents that a line of a role-spec names. */
export function namedSubagents(line: string): NamedSubagent[] {
  const sure = [...line.matchAll(QUOTED), ...line.matchAll(CALLED)].flatMap(([, one, other]) => one ?? other ?? []);
  const plain = [...line.matchAll(PLAIN)].flatMap(([, name = ""]) => (NO_NAMES.has(name) ? [] : [name]));
  const known: readonly string[] = SUBAGENTS;
  return [
    ...sure.map((name) => ({ name, isSure: true })),
    ...plain.map((name) => ({ name, isSure: known.includes(name) })),
  ];
}
