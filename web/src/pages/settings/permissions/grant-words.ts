import type { ShownGrant } from "../../../../../src/contract/routes/people/grant-routes.ts";
import type { Tone } from "../../../ui/badge.tsx";

const STATES: Record<ShownGrant["state"], { word: string; tone: Tone }> = {
  open: { word: "Open", tone: "good" },
  used: { word: "Used", tone: "neutral" },
  expired: { word: "Expired", tone: "neutral" },
  revoked: { word: "Revoked", tone: "warn" },
};

export function stateBadge({ state }: Pick<ShownGrant, "state">): { word: string; tone: Tone } {
  return STATES[state];
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** How long a permission lasts. */
export function scopeWords({ scope, expiresAt }: Pick<ShownGrant, "scope" | "expiresAt">): string {
  switch (scope) {
    case "once":
      return "Once";
    case "run":
      return "For one run";
    case "hour":
      return expiresAt === undefined ? "For a limited time" : `Until ${exact.format(new Date(expiresAt))}`;
    case "always":
      return "Always";
  }
}
