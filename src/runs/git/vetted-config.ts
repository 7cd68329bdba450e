import { type GitSetting, keyOf, settingsIn, writtenSetting } from "../../store/git/git-config.ts";

const BOOLEAN = /^(?:true|false|yes|no|on|off|0|1|)$/i;

/**
 * The settings of a repository that say how its files and objects are kept: data, none of which names a program or a path.
 * Nothing else of a repository's configuration reaches git.
 */
const KEPT: Record<string, RegExp> = {
  "core.repositoryformatversion": /^[01]$/,
  "core.bare": BOOLEAN,
  "core.filemode": BOOLEAN,
  "core.symlinks": BOOLEAN,
  "core.ignorecase": BOOLEAN,
  "core.precomposeunicode": BOOLEAN,
  "core.autocrlf": /^(?:true|false|input)$/i,
  "core.eol": /^(?:lf|crlf|native)$/i,
  "core.sharedrepository": /^[a-z0-9]+$/i,
  "core.logallrefupdates": /^(?:true|false|always)$/i,
  "core.sparsecheckout": BOOLEAN,
  "core.sparsecheckoutcone": BOOLEAN,
  "core.checkstat": /^(?:default|minimal)$/i,
  "core.trustctime": BOOLEAN,
  "index.version": /^[234]$/,
  "index.sparse": BOOLEAN,
  "extensions.objectformat": /^(?:sha1|sha256)$/i,
  "extensions.compatobjectformat": /^(?:sha1|sha256)$/i,
  "extensions.refstorage": /^(?:files|reftable)$/i,
  "extensions.preciousobjects": BOOLEAN,
  "extensions.relativeworktrees": BOOLEAN,
};
/** Extensions that change nothing about what is kept here: settings of one checkout, and where missing objects come from. */
const PASSED_OVER = new Set(["extensions.worktreeconfig", "extensions.partialclone", "extensions.noop"]);
/** What of the person's own settings says how files are written. */
const OF_PERSON = new Set(["core.autocrlf", "core.eol"]);
/** The text of a configuration, or why a repository cannot be used. */
export type VettedConfig = { text: string } | { refused: string };

export interface ConfigSources {
  /** Of the repository, and of the checkout where it has one of its own; later ones count. */
  repository: readonly string[];
  /** The person's own. */
  person: readonly string[];
}

/** What git is told about a repository: its own settings that are data, and the person's. */
export function vettedConfig({ repository, person }: ConfigSources): VettedConfig {
  const own = repository.map(settingsIn);
  if (own.some((settings) => settings === undefined))
    return { refused: "its configuration has an invalid format; run 'git config --list' there to see where" };
  const all = own.flatMap((settings) => settings ?? []);
  const unknown = all
    .filter(({ section }) => section === "extensions")
    .map(keyOf)
    .find((key) => !(key in KEPT) && !PASSED_OVER.has(key));
  if (unknown !== undefined) return { refused: `it uses '${unknown}', which is not supported` };
  const ofPerson = person.flatMap((text) => settingsIn(text) ?? []).filter((setting) => OF_PERSON.has(keyOf(setting)));
  const last = new Map([...ofPerson, ...all].filter(isKept).map((setting) => [keyOf(setting), setting]));
  return { text: [...last.values()].map(writtenSetting).join("") };
}

function isKept(setting: GitSetting): boolean {
  return KEPT[keyOf(setting)]?.test(setting.value) === true;
}
