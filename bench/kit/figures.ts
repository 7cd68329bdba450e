/** The value that `share` of the samples do not exceed. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Milliseconds that a piece of work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Times a second that `writers` at once get through `work` within the given time. */
export async function rateOf(work: () => unknown, limits: { writers: number; ms: number }): Promise<number> {
  const start = performance.now();
  let done = 0;
  const write = async () => {
    while (performance.now() - start < limits.ms) {
      await work();
      done++;
    }
  };
  await Promise.all(Array.from({ length: limits.writers }, write));
  return (done / (performance.now() - start)) * 1_000;
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`;
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString("en")}/s`;
}

export function times(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)}×`;
}

export function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

export function count(value: number): string {
  return value.toLocaleString("en");
}
