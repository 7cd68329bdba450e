/** Whether `npm run test:faults` asks for full depth. */
export const isThorough = process.env.GUILDHALL_FAULT_CYCLES !== undefined;

/**
 * Some of the points, beginning with one of the first, which touches each kind of step; all of them
 * where `npm run test:faults` asks for it.
 */
export function sampled<Point>(
  points: readonly Point[],
  { every, from = 0 }: { every: number; from?: number },
): Point[] {
  return isThorough ? [...points] : points.filter((_, at) => at % every === from);
}
