/** One setting of a git configuration file; one without a value is true. */
export interface GitSetting {
  /** Section and name are in lower case. */
  section: string;
  /** As `origin` in `[remote "origin"]`, as it is written. */
  subsection?: string | undefined;
  name: string;
  value: string;
}

/** As git names it: section, subsection and name. */
export function keyOf({ section, subsection, name }: GitSetting): string {
  return [section, ...(subsection === undefined ? [] : [subsection]), name].join(".");
}

const HEADING = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const NAME = /^([A-Za-z][\w-]*)\s*(=?)/;
const ESCAPES: Record<string, string> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };

/** Reads a configuration file as git does, without its includes. Undefined when it is not one. */
export function settingsIn(text: string): GitSetting[] | undefined {
  const found: GitSetting[] = [];
  let place: Pick<GitSetting, "section" | "subsection"> | undefined;
  const skipped = (from: string) => from.replace(/^(?:\s+|[#;][^\n]*)+/, "");
  let rest = skipped(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"));
  for (; rest !== ""; rest = skipped(rest)) {
    const heading = HEADING.exec(rest);
    if (heading !== null) {
      const [whole, name = "", subsection] = heading;
      const [first = "", ...dotted] = name.toLowerCase().split(".");
      const inner = subsection?.replaceAll(/\\(.)/g, "$1") ?? (dotted.length === 0 ? undefined : dotted.join("."));
      place = { section: first, subsection: inner };
      rest = rest.slice(whole.length);
      continue;
    }
    const named = NAME.exec(rest);
    if (named === null || place === undefined) return undefined;
    const [whole, name = "", equals] = named;
    const read = equals === "" ? { value: "true", length: 0 } : valueAt(rest.slice(whole.length));
    if (read === undefined) return undefined;
    found.push({ ...place, name: name.toLowerCase(), value: read.value });
    rest = rest.slice(whole.length + read.length);
  }
  return found;
}

/** What follows an equals sign, to the end of its line. */
function valueAt(text: string): { value: string; length: number } | undefined {
  let value = "";
  /** White space outside quotes counts only where something follows. */
  let space = "";
  let isQuoted = false;
  let isComment = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === "\n") return isQuoted ? undefined : { value, length: at };
    if (isComment) continue;
    if (!isQuoted && (letter === "#" || letter === ";")) isComment = true;
    else if (!isQuoted && /\s/.test(letter)) space += value === "" ? "" : letter;
    else {
      const written = letter === "\\" ? escapedAt(text, ++at) : letter === '"' ? "" : letter;
      if (written === undefined) return undefined;
      if (letter === '"') isQuoted = !isQuoted;
      value += space + written;
      space = "";
    }
  }
  return isQuoted ? undefined : { value, length: text.length };
}

/** A line that ends in a backslash goes on in the next. */
function escapedAt(text: string, at: number): string | undefined {
  const letter = text[at] ?? "";
  return letter === "\n" ? "" : ESCAPES[letter];
}

/** A setting as it is written in a configuration file. */
export function writtenSetting({ section, subsection, name, value }: GitSetting): string {
  const quoted = (text: string) =>
    `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
  const heading = subsection === undefined ? section : `${section} "${subsection.replaceAll(/[\\"]/g, "\\$&")}"`;
  return `[${heading}]\n\t${name} = ${quoted(value)}\n`;
}
