import { type Program, parseSync } from "oxc-parser";

/** Throws on a source that does not parse: a check that skips what it cannot read would pass it. */
export function syntaxTreeOf(fileName: string, source: string): Program {
  const { errors, program } = parseSync(fileName, source);
  const broken = errors[0];
  if (broken !== undefined) throw new Error(`${fileName} does not parse: ${broken.message}`);
  return program;
}
