import { type CommandEntry, nouns } from "../command-spec.ts";
import {
  type CommandOffers,
  commandOffers,
  firstWords,
  type Offer,
  type OptionOffer,
  verbsOf,
  workspaceFlag,
} from "./offers.ts";

const HEAD = `# fish completion for guildhall
function __guildhall_words
    set -l found
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case ${workspaceFlag}
                set skip 1
            case '-*'
            case '*'
                set -a found $word
        end
    end
    echo "$found"
end

function __guildhall_at
    set -l words (__guildhall_words)
    test "$words" = "$argv"
end

function __guildhall_in
    set -l words (__guildhall_words)
    test "$words" = "$argv"; or string match -q -- "$argv *" "$words"
end

function __guildhall_projects
    set -l root $GUILDHALL_WORKSPACE
    test -n "$root"; or set root $HOME/.guildhall
    for folder in $root/projects/*/
        string replace -r '.*/([^/]+)/$' '$1' $folder
    end
end

complete -c guildhall -f`;

export function fishScript(entries: CommandEntry[]): string {
  const first = firstWords(entries).map(
    ({ word, help }) => `complete -c guildhall -n __guildhall_at -a ${word} -d ${quote(help)}`,
  );
  const verbs = Object.keys(nouns).flatMap((noun) =>
    verbsOf(noun, entries).map(
      ({ word, help }) => `complete -c guildhall -n '__guildhall_at ${noun}' -a ${word} -d ${quote(help)}`,
    ),
  );
  return `${[HEAD, ...first, ...verbs, ...commandOffers(entries).flatMap(commandLines)].join("\n")}\n`;
}

function commandLines({ path, options, argument }: CommandOffers): string[] {
  const condition = `complete -c guildhall -n '__guildhall_in ${path}'`;
  const argumentLine = argument.kind === "nothing" ? [] : [`${condition}${offerText(argument)}`];
  return [...options.flatMap((option) => optionLines(option).map((line) => `${condition}${line}`)), ...argumentLine];
}

function optionLines({ spellings, help, value }: OptionOffer): string[] {
  const short = spellings.find((flag) => /^-[^-]/.test(flag));
  const longs = spellings.filter((flag) => flag.startsWith("--"));
  return longs.map((flag) => {
    const names = `${short === undefined ? "" : ` -s ${short.slice(1)}`} -l ${flag.slice(2)}`;
    return `${names}${value === undefined ? "" : ` -r${offerText(value)}`} -d ${quote(help)}`;
  });
}

function offerText(offer: Offer): string {
  if (offer.kind === "words") return ` -a ${quote(offer.words.join(" "))}`;
  if (offer.kind === "projects") return " -a '(__guildhall_projects)'";
  return offer.kind === "files" ? " -F" : "";
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
