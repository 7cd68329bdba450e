import type { HealthCheck } from "../contract/settings-routes.ts";

/** What a check is about. */
type Subject = Pick<HealthCheck, "id" | "title">;

export function ok(subject: Subject, detail: string): HealthCheck {
  return { ...subject, state: "ok", detail };
}

export function warning(subject: Subject, detail: string, hint?: string): HealthCheck {
  return { ...subject, state: "warning", detail, ...(hint === undefined ? {} : { hint }) };
}

export function failed(subject: Subject, detail: string, hint?: string): HealthCheck {
  return { ...warning(subject, detail, hint), state: "failed" };
}

const GRAVITY = { failed: 0, warning: 1, ok: 2 } as const;

/** What has to be mended comes first, in the terminal and on the page. */
export function worstFirst(checks: readonly HealthCheck[]): HealthCheck[] {
  return checks.toSorted((a, b) => GRAVITY[a.state] - GRAVITY[b.state]);
}
