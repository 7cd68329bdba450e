import { markIn } from "../../../store/secrets/redaction.ts";

/**
 * Why a text with the mark of a hidden secret cannot be taken for what stands in a file, or be put there: it would
 * replace the secret by the mark. Undefined when there is no mark, or the file has it itself.
 */
export function hiddenRefusal({ standing, given }: { standing: string; given: string }): string | undefined {
  const mark = markIn(given);
  if (mark === undefined || standing.includes(mark)) return undefined;
  return `${mark} is a placeholder for a hidden secret, not the file's content. Nothing was changed. Edit the lines around it, or leave the secret to the person.`;
}
