/** Of less than a hundredth a bar tells nothing. */
export function isWorthShowing({ used, window }: { used: number; window: number }): boolean {
  return used >= window / 100;
}

/** How much of something is used up; it warns from 80 % on. */
export function Meter({
  value,
  max,
  label,
  wide = false,
}: {
  value: number;
  max: number;
  label: string;
  wide?: boolean;
}) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  const tone = share >= 0.95 ? "bg-bad" : share >= 0.8 ? "bg-warn" : "bg-info";
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a meter each in their own way
    <span
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      title={label}
      className={`inline-block h-1.5 overflow-hidden rounded-full bg-line align-middle ${wide ? "w-full" : "w-12"}`}
    >
      <span className={`block h-full ${tone}`} style={{ width: `${share * 100}%` }} />
    </span>
  );
}
