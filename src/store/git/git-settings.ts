import { type GitSetting, settingsIn, writtenSetting } from "./git-config.ts";

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

/**
 * A git configuration without what may be secret: passwords in addresses, credentials, headers, helpers, includes. Nothing of
 * one that git could not read either.
 */
export function withoutGitSecrets(text: string): string {
  return (settingsIn(text) ?? []).flatMap(shown).map(writtenSetting).join("");
}

/** Whether a git configuration holds something that must not be shown. */
export function hasGitSecrets(text: string): boolean {
  const settings = settingsIn(text);
  if (settings === undefined) return true;
  return settings.some(({ section, name, value }) =>
    name === "url" || name === "pushurl"
      ? addressWithoutSecrets(value) !== value
      : ["credential", "http", "https", "include", "includeif", "sendemail", "url"].includes(section) ||
        /:\/\/[^/\s]*@/.test(value),
  );
}

function shown(setting: GitSetting): GitSetting[] {
  const { section, name, value } = setting;
  if (KEPT[section]?.includes(name) !== true) return [];
  const address = name === "url" ? addressWithoutSecrets(value) : value;
  return address === undefined ? [] : [{ ...setting, value: address }];
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
