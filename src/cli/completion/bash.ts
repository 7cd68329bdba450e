import { type CommandEntry, nouns } from "../command-spec.ts";
import {
  type CommandOffers,
  commandOffers,
  firstWords,
  type Offer,
  verbsOf,
  type Word,
  workspaceFlag,
} from "./offers.ts";

/** Names of folders are compared, never expanded, and offered only as plain words: a name must not become a command. */
const HEAD = `# bash completion for guildhall
_guildhall_projects() {
  local root=\${GUILDHALL_WORKSPACE:-$HOME/.guildhall} folder name
  for folder in "$root"/projects/*/; do
    name=\${folder%/}
    name=\${name##*/}
    if [[ $name =~ ^[a-z0-9_-]+$ && $name == "$1"* ]]; then COMPREPLY+=("$name"); fi
  done
}

_guildhall() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at="" words="" offer="words" skip="" i
  COMPREPLY=()
  # bash splits --status=done at the equals sign.
  if [[ $cur == "=" ]]; then cur=""; fi
  if [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == "=" ]]; then continue; fi
    if [[ -n $skip ]]; then skip=""; continue; fi
    case \${COMP_WORDS[i]} in
      ${workspaceFlag}) skip=1 ;;
      -*) ;;
      *) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in`;

const TAIL = `  esac
  case $offer in
    words) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    projects) _guildhall_projects "$cur" ;;
    files) if type compopt &> /dev/null; then compopt -o default; fi ;;
  esac
}
complete -F _guildhall guildhall
`;

export function bashScript(entries: CommandEntry[]): string {
  const nounCases = Object.keys(nouns).map((noun) => `    "${noun}") words="${plain(verbsOf(noun, entries))}" ;;`);
  return [
    HEAD,
    `    "") words="${plain(firstWords(entries))} --version --help" ;;`,
    ...nounCases,
    ...commandOffers(entries).map(commandCase),
    TAIL,
  ].join("\n");
}

function commandCase({ path, options, argument }: CommandOffers): string {
  const flags = [...options.flatMap(({ spellings }) => spellings.filter((flag) => flag.startsWith("--"))), "--help"];
  const values = options.flatMap(({ spellings, value }) =>
    value === undefined ? [] : [`        ${spellings.join("|")}) ${offerText(value)} ;;`],
  );
  return [
    `    "${path}" | "${path} "*)`,
    '      case "$prev" in',
    ...values,
    `        *) if [[ $cur == -* ]]; then words="${flags.join(" ")}"; else ${offerText(argument)}; fi ;;`,
    "      esac",
    "      ;;",
  ].join("\n");
}

function offerText(offer: Offer): string {
  return offer.kind === "words" ? `words="${offer.words.join(" ")}"` : `offer=${offer.kind}`;
}

function plain(words: Word[]): string {
  return words.map(({ word }) => word).join(" ");
}
