import { stem } from "./stem.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Expressions of several words, and what they become before words are told apart. */
export const PHRASES: readonly [RegExp, string][] = [
  [/\bhow long\b/g, " @duration "],
  [/\bhow (?:many|much)\b(?: times\b)?/g, " @count "],
  [/\bhow (?:often|frequently)\b/g, " @frequency "],
  [/\b(?:at )?what time\b/g, " @when "],
  [/\b(?:what )?number of\b/g, " @count "],
  [/\bretention (?:period|time|policy)\b/g, " keep @duration "],
  [/\bwhere\b/g, " @place "],
  [/\blocation\b/g, " @place "],
  [/\bwhom?\b/g, " @who "],
  [/\bwhy\b/g, " @why "],
  [/(^|[?.!:,] *)when(?= (?:do|does|is|are|should|will|can|must|may)\b)/g, "$1 @when "],
  [/\b(?:turn|turned|turning|switch|switched|switching|shut|shutting) off\b/g, " disable "],
  [/\b(?:turn|turned|turning|switch|switched|switching) on\b/g, " enable "],
  [/\b(?:check|checking|checks|checked) out\b/g, " checkout "],
  [/\b(?:log|logs|logging|logged) in\b/g, " login "],
  [/\b(?:sign|signs|signing|signed) in\b/g, " signin "],
  [/\b(?:sign|signs|signing|signed) up\b/g, " signup "],
  [/\bopt(?:ing|ed)? in\b/g, " optin "],
  [/\bopt(?:ing|ed)? out\b/g, " optout "],
  [/\b(?:go|goes|going) out\b/g, " send "],
  [/\bclean(?:s|ed|ing)? up\b/g, " cleanup "],
  [/\b(?:roll|rolls|rolled|rolling) back\b/g, " rollback "],
  [/\bip address(?:es)?\b/g, " ip "],
  [/\bbackwards\b/g, " backward "],
  [/\brather than\b/g, " instead of "],
  [/\b(?:is|it's|it is|would it be|be) (?:it )?(?:ok|okay|fine|acceptable|allowed|possible)\b(?: to\b)?/g, " may "],
  [/\b(?:supposed|going|able|allowed|permitted|want|wants|like|plan) to\b/g, " "],
  [/\bpassing (?=-)/g, " "],
  [/\bby default\b/g, " default "],
  [/\b(?:have|has|need|needs) to\b/g, " require "],
  [/\bor (?:should|do|does|is|are|would|can|may|must|shall) (?:we|i|it|they|the)\b/g, " or "],
];

/** They ask, or join what is asked, and say nothing about it. */
export const NOISE = new Set(
  words(`a an the we i you our us my me your it its they them their he she one ones do does did is are was were be been being
    am will would shall should could can may might has have had having of in on at for to as into with by if when while that which
    what whose whether how then there so and or but use used using usage uses go goes going went get gets getting put puts want
    wants wanted like pick choose select decide decision prefer preferred allow allowed allows permit permitted able possible ok
    okay fine acceptable let please exactly currently now here just actually well also happen happens times kindly question answer regarding about concerning such some this these those yes say`),
);

/** One word for each meaning, as engineers use them. */
const SYNONYMS: readonly string[] = [
  "keep store retain retention persist",
  "show display",
  "delete remove erase",
  "disable deactivate",
  "enable activate",
  "increase raise bump",
  "decrease reduce",
  "limit cap restrict",
  "maximum max",
  "minimum min",
  "configuration config",
  "database db",
  "repository repo",
  "application app",
  "environment env",
  "production prod",
  "development dev",
  "documentation docs",
  "directory dir folder",
  "library lib",
  "dependency dep",
  "kubernetes k8s",
  "postgresql postgres",
  "javascript js",
  "typescript ts",
  "administrator admin",
  "email mail e-mail",
  "begin start",
  "change modify alter",
  "execute run",
  "each every",
  "automatic auto automatically automated",
  "must require mandatory need",
  "megabyte mb",
  "gigabyte gb",
  "kilobyte kb",
  "second sec",
  "minute min.",
  "hour hr",
  "image picture",
  "license licence",
  "color colour",
  "asynchronous async",
  "synchronous sync.",
  "authentication authn",
  "authorization authz",
  "identifier id",
];

const CANONICAL = new Map(
  SYNONYMS.flatMap((group) => {
    const [first = "", ...others] = words(group).map(stem);
    return others.map((other): [string, string] => [other, first]);
  }),
);

/** The word that stands for all with its meaning. */
export function canonical(word: string): string {
  const base = stem(word);
  return CANONICAL.get(word) ?? CANONICAL.get(base) ?? base;
}

/** General words: a paraphrase may drop or add one, but never exchange it for another. */
export const MILD = new Set(
  words(`approach way method strategy solution option choice thing case kind type sort format library tool framework technology
    database environment system feature functionality flag project app application codebase repository apply require`).map(
    (word) => canonical(word),
  ),
);

export const NUMBER_WORDS: Readonly<Record<string, string>> = {
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  ten: "10",
  twelve: "12",
};

/** What follows one of these is decisive: the same words in another place mean something else. */
export const MARKERS = new Set(
  words(
    "before after from instead than over under above below without until unless except per only during within between against",
  ).map(canonical),
);

export const NEGATIONS = new Set(words("not never no cannot unable nor neither none"));

/** Verbs after which `to` names the aim. */
export const TRANSFERS = new Set(
  words("migrate move convert switch rename upgrade downgrade copy redirect sync translate port transfer merge").map(
    canonical,
  ),
);

/** Words that say which of several; the word that they belong to must be the same. */
export const MODIFIERS = new Set(
  words(`new old first last next previous read write minimum maximum internal external public private left right local remote client
    server source target primary secondary input output full partial optional inner outer upper lower parent child
    sender receiver open closed active inactive`).map(canonical),
);
