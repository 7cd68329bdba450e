import { diffWordsWithSpace } from "diff";

export interface Piece {
  text: string;
  isChanged: boolean;
}

const LONGEST = 600;
/** Of two lines that have less than this in common, nothing is marked: it would be nearly all. */
const LEAST_ALIKE = 0.35;

/** The words of a line that its counterpart does not have. */
export function changedWords(text: string, other: string | undefined): Piece[] {
  const whole = [{ text, isChanged: false }];
  if (other === undefined || text.length + other.length > LONGEST) return whole;
  const changes = diffWordsWithSpace(other, text);
  const alike = changes.reduce(
    (sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length),
    0,
  );
  if (alike < LEAST_ALIKE * Math.max(text.trim().length, other.trim().length)) return whole;
  return changes.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, isChanged: added }));
}
