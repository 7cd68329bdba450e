import type { Assignment } from "../../../../../src/contract/documents/project.ts";
import type { RouteBodyInput } from "../../../../../src/contract/routes/routes.ts";
import { secondsOf } from "../../../ui/text/minutes.ts";

interface Written {
  model: string;
  thinking: string;
  /** Minutes. */
  timeout: string;
  tools: string;
  /** Tools that ask beside those of the role. */
  ask: readonly string[];
}

type Thinking = NonNullable<Assignment["modelConfig"]>["thinking"];

/** What a person wrote of an assignment, as a change: what is left open is as the role has it. */
export function overrideOf(
  { modelConfig }: Pick<Assignment, "modelConfig">,
  { model, thinking, timeout, tools, ask }: Written,
): RouteBodyInput<"updateAssignment"> {
  const { model: _, thinking: __, timeout: ___, ...others } = modelConfig ?? {};
  const seconds = secondsOf(timeout);
  const own = {
    ...others,
    ...(model.trim() === "" ? {} : { model: model.trim() }),
    ...(thinking === "" ? {} : { thinking: thinking as Thinking }),
    ...(seconds === undefined ? {} : { timeout: seconds }),
  };
  const named = tools.split(",").flatMap((tool) => tool.trim() || []);
  return {
    modelConfig: Object.keys(own).length === 0 ? null : own,
    skills: named.length === 0 ? null : named,
    ask: ask.length === 0 ? null : [...ask],
  };
}
