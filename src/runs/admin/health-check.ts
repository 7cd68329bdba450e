import type { HealthCheck } from "../../contract/routes/settings-routes.ts";
import { advice, type Hint, toldHint } from "../../contract/words/hint.ts";

/** What a check is about. */
type Subject = Pick<HealthCheck, "id" | "title">;

export function ok(subject: Subject, detail: string): HealthCheck {
  return { ...subject, state: "ok", detail };
}

/** A sentence without a command may be given as it is. */
export function warning(subject: Subject, detail: string, help?: Hint | string): HealthCheck {
  return { ...subject, state: "warning", detail, ...toldHint(typeof help === "string" ? advice(help) : help) };
}

export function failed(subject: Subject, detail: string, help?: Hint | string): HealthCheck {
  return { ...warning(subject, detail, help), state: "failed" };
}

const GRAVITY = { failed: 0, warning: 1, ok: 2 } as const;

/** What has to be mended comes first, in the terminal and on the page. */
export function worstFirst(checks: readonly HealthCheck[]): HealthCheck[] {
  return checks.toSorted((a, b) => GRAVITY[a.state] - GRAVITY[b.state]);
}
