/** Every minute after a moment, up to another, at which the clocks of a zone show a time of day. Found by looking at each, without a library. */
export function minutesAt(
  time: string,
  timezone: string,
  { after, until }: { after: number; until: number },
): number[] {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, hour: "2-digit", minute: "2-digit" });
  const found: number[] = [];
  for (let at = Math.floor(after / 60_000) * 60_000 + 60_000; at <= until; at += 60_000)
    if (format.format(at) === time) found.push(at);
  return found;
}
