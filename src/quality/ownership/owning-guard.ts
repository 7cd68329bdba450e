import type { Guards } from "../../contract/runs/guarding.ts";
import type { RunGuard } from "../../runs/guarding.ts";
import { type Ownership, WRITING_TOOLS } from "./ownership.ts";

/** Whoever is asked about a write first says whose file it is. */
export function owningGuard(guard: RunGuard | undefined, ownership: Ownership): RunGuard {
  const nothing = async () => ({});
  const base: RunGuard = guard ?? {
    ...{ guardsOf: () => undefined, starting: nothing, sessionStarting: nothing, called: nothing, ending: nothing },
    ...{ permit: async () => ({ allowed: true as const }), fillsNotes: () => false },
    agents: { guardsOf: () => undefined, permit: async () => ({ allowed: true as const }), called: nothing },
  };
  return {
    ...base,
    guardsOf: (run): Guards | undefined => {
      const guards = base.guardsOf(run);
      if (!ownership.isGuarded(run)) return guards;
      return { ...guards, before: [...new Set([...(guards?.before ?? []), ...WRITING_TOOLS])] };
    },
    permit: async (call) => {
      const isWrite = WRITING_TOOLS.includes(call.tool) && ownership.isGuarded(call.run);
      const owned = isWrite ? await ownership.permit(call) : undefined;
      if (owned?.allowed === false) return owned;
      const permit = await base.permit(call);
      if (owned === undefined || "state" in permit || !permit.allowed) return permit;
      return { ...permit, remark: [permit.remark, owned.remark].filter(Boolean).join("\n") };
    },
  };
}
