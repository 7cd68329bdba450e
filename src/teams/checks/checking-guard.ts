import type { Guards } from "../../contract/runs/guarding.ts";
import type { RunGuard } from "../../runs/guarding.ts";
import type { MemberChecks } from "./member-checks.ts";

/** Before the run of a member ends, what it returns is checked. Hooks come first. */
export function checkingGuard(base: RunGuard, checks: Pick<MemberChecks, "applies" | "ending">): RunGuard {
  return {
    ...base,
    guardsOf: (run): Guards | undefined => {
      const guards = base.guardsOf(run);
      return checks.applies(run) ? { ...guards, ending: "decides" } : guards;
    },
    ending: async (run, end) => {
      const isHooked = base.guardsOf(run)?.ending !== undefined;
      const remark = isHooked ? await base.ending(run, end) : {};
      if (remark.feedback !== undefined || !checks.applies(run)) return remark;
      return { ...remark, ...(await checks.ending(run, end)) };
    },
  };
}
