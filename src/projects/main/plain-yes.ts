/** Words that say yes by themselves, in a few languages. */
const YES = new Set(
  "yes y yep yeah yup ok okay sure confirm confirmed correct right exactly agreed approve approved ja jawohl genau passt si sí sì oui sim tak да так はい 是 是的 好 好的 네 👍 ✅ 👌".split(
    " ",
  ),
);
/** Words that may stand beside them without changing the meaning. */
const BESIDE = new Set(
  "do it go ahead please thanks thank you that is that's all of them both record bitte danke s'il vous plaît merci por favor gracias".split(
    " ",
  ),
);
const ALONE = new Set(["do it", "go ahead", "record it", "record them", "please do", "mach das"]);

/** Whether a message says yes and nothing else. Anything more may mean something else, and is asked again. */
export function isPlainYes(text: string): boolean {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/\p{Emoji_Modifier}|\u{fe0f}/gu, "")
    .split(/[\s.,;:!]+/u)
    .filter((word) => word !== "");
  if (ALONE.has(words.join(" "))) return true;
  return words.some((word) => YES.has(word)) && words.every((word) => YES.has(word) || BESIDE.has(word));
}
