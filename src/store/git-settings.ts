/** One variable of a git configuration file. */
interface Setting {
  section: string;
  /** As `origin` in `[remote "origin"]`. */
  subsection: string | undefined;
  name: string;
  value: string;
}

/** Settings that tell git how to read a repository, and hold neither passwords nor programs. All else is left out. */
const KEPT: Record<string, readonly string[]> = {
  core: [
    "abbrev",
    "autocrlf",
    "bare",
    "commentchar",
    "compression",
    "eol",
    "filemode",
    "ignorecase",
    "logallrefupdates",
    "precomposeunicode",
    "quotepath",
    "repositoryformatversion",
    "safecrlf",
    "sparsecheckout",
    "sparsecheckoutcone",
    "splitindex",
    "symlinks",
    "untrackedcache",
    "whitespace",
    "worktree",
  ],
  branch: ["merge", "rebase", "remote"],
  diff: ["algorithm", "context", "interhunkcontext", "mnemonicprefix", "noprefix", "renamelimit", "renames"],
  extensions: [
    "noop",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "refstorage",
    "relativeworktrees",
    "worktreeconfig",
  ],
  index: ["sparse", "version"],
  init: ["defaultbranch"],
  merge: ["conflictstyle", "ff", "renamelimit", "renames"],
  pull: ["ff", "rebase"],
  push: ["default"],
  remote: ["fetch", "promisor", "partialclonefilter", "url"],
  submodule: ["active", "branch", "ignore", "url"],
  user: ["email", "name"],
};

/** A git configuration without what may be secret: passwords in addresses, credentials, headers, helpers, includes. */
export function withoutGitSecrets(text: string): string {
  return settingsIn(text).flatMap(lines).join("");
}

/** Whether a git configuration holds something that must not be shown. */
export function hasGitSecrets(text: string): boolean {
  return settingsIn(text).some(({ section, name, value }) =>
    name === "url" || name === "pushurl"
      ? addressWithoutSecrets(value) !== value
      : ["credential", "http", "https", "include", "includeif", "sendemail", "url"].includes(section) ||
        /:\/\/[^/\s]*@/.test(value),
  );
}

function lines({ section, subsection, name, value }: Setting): string[] {
  if (KEPT[section]?.includes(name) !== true) return [];
  const shown = name === "url" ? addressWithoutSecrets(value) : value;
  if (shown === undefined) return [];
  const header = subsection === undefined ? section : `${section} "${subsection.replace(/["\\]/g, "\\$&")}"`;
  return [`[${header}]\n\t${name} = ${quoted(shown)}\n`];
}

/**
 * Undefined for an address that is not understood, as `helper::…` is. A token may take the place of a name; passwords are
 * written with slashes and at signs where they should not be.
 */
function addressWithoutSecrets(address: string): string | undefined {
  const [, scheme, rest = ""] = /^([a-z][a-z\d+.-]*):\/\/(.*)$/is.exec(address) ?? [];
  if (scheme === undefined) return /::|\s|[?#]|^[^/]*:[^/]*@/.test(address) ? undefined : address;
  const bare = rest.replace(/[?#].*$/s, "");
  const at = bare.lastIndexOf("@");
  const user = /^(?:git\+)?ssh$/i.test(scheme) ? /^[\w.-]{1,32}@/.exec(bare)?.[0] : undefined;
  return `${scheme}://${user ?? ""}${bare.slice(at + 1)}`;
}

function quoted(value: string): string {
  const escaped = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}

const SECTION = /^\s*\[\s*([A-Za-z\d.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\s*\]/;
const VARIABLE = /^\s*([A-Za-z][A-Za-z\d-]*)[ \t]*(?:=(.*))?$/s;

/** What cannot be read as git reads it is passed over. */
function settingsIn(text: string): Setting[] {
  const found: Setting[] = [];
  let section = "";
  let subsection: string | undefined;
  for (const whole of wholeLines(text)) {
    let line = whole;
    for (let header = SECTION.exec(line); header !== null; header = SECTION.exec(line)) {
      const [given = "", name = "", inner] = header;
      const [first = "", ...more] = name.split(".");
      section = first.toLowerCase();
      subsection = inner?.replace(/\\(.)/g, "$1") ?? (more.length === 0 ? undefined : more.join("."));
      line = line.slice(given.length);
    }
    const [, name, value] = VARIABLE.exec(line) ?? [];
    if (name !== undefined) found.push({ section, subsection, name: name.toLowerCase(), value: plainValue(value) });
  }
  return found;
}

/** A backslash at the end of a line joins the next one to it. */
function wholeLines(text: string): string[] {
  const joined: string[] = [];
  let open = "";
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const isOpen = /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    open += isOpen ? line.slice(0, -1) : line;
    if (isOpen) continue;
    joined.push(open);
    open = "";
  }
  return open === "" ? joined : [...joined, open];
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", b: "\b" };

function plainValue(raw: string | undefined): string {
  if (raw === undefined) return "true";
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < raw.length; at++) {
    const letter = raw.charAt(at);
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === "\\") {
      at++;
      value += ESCAPES[raw.charAt(at)] ?? raw.charAt(at);
    } else if (!isQuoted && (letter === "#" || letter === ";")) break;
    else value += letter;
  }
  return value.trim();
}
