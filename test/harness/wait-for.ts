import { vi } from "vitest";

/** Checks again until nothing is thrown, for as long as the slowest machine may need; fails with what is thrown then. */
export function waitFor(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 20_000, interval: 4 });
}
