/**
 * Answers how many milliseconds of computing this process has had since. Where others are at work too they are no more
 * than on a quiet machine, unlike those of a clock.
 */
export function cpuTimer(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
