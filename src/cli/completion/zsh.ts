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

const HEAD = `#compdef guildhall
# zsh completion for guildhall
_guildhall() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} at="" skip="" word
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=""; continue; fi
    case $word in
      ${workspaceFlag}) skip=1 ;;
      -*) ;;
      *) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in`;

const TAIL = `  esac
}
_guildhall_projects() {
  local -a projects
  projects=("\${GUILDHALL_WORKSPACE:-$HOME/.guildhall}"/projects/*(N/:t))
  compadd -a projects
}
if [[ "\${funcstack[1]}" == "_guildhall" ]]; then _guildhall "$@"; else compdef _guildhall guildhall; fi
`;

export function zshScript(entries: CommandEntry[]): string {
  const nounCases = Object.keys(nouns).map((noun) => `    ("${noun}") ${describe(verbsOf(noun, entries))} ;;`);
  return [
    HEAD,
    `    ("") ${describe(firstWords(entries))} ;;`,
    ...nounCases,
    ...commandOffers(entries).map(commandCase),
    TAIL,
  ].join("\n");
}

function commandCase({ path, options, argument }: CommandOffers): string {
  const values = options.flatMap(({ spellings, value }) =>
    value === undefined ? [] : [`        (${spellings.join("|")}) ${offerText(value)} ;;`],
  );
  const flags = options.flatMap(({ spellings, help }) =>
    spellings.filter((flag) => flag.startsWith("--")).map((word) => ({ word, help })),
  );
  return [
    `    ("${path}"|"${path} "*)`,
    '      case "$prev" in',
    ...values,
    `        (*) if [[ $cur == -* ]]; then ${describe([...flags, { word: "--help", help: "Show help" }])}; else ${offerText(argument)}; fi ;;`,
    "      esac",
    "      ;;",
  ].join("\n");
}

function offerText(offer: Offer): string {
  if (offer.kind === "words") return `compadd -- ${offer.words.join(" ")}`;
  if (offer.kind === "projects") return "_guildhall_projects";
  return offer.kind === "files" ? "_files" : "true";
}

function describe(words: Word[]): string {
  const choices = words.map(({ word, help }) => quote(`${word}:${help.replaceAll(":", "\\:")}`));
  return `choices=(${choices.join(" ")}); _describe guildhall choices`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
