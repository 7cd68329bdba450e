/**
 * The first of `count` parts with which the whole is red, by binary search: `isRed(n)` judges the first n parts together, and
 * all of them are red. Undefined where even none is red, or a judgement could not be made.
 */
export async function firstRed(
  count: number,
  isRed: (parts: number) => Promise<boolean | undefined>,
): Promise<number | undefined> {
  let green = 0;
  let red = count;
  while (red - green > 1) {
    const middle = (green + red) >> 1;
    const found = await isRed(middle);
    if (found === undefined) return undefined;
    if (found) red = middle;
    else green = middle;
  }
  return count === 0 ? undefined : red - 1;
}
