import type { Action } from "../context.ts";
import { count } from "../text-card.ts";

const SILENCE_MS = 600_000;

export const indexRebuild: Action<"index rebuild"> = async (_, { call, output }) => {
  const answer = await call("rebuildIndex", { silenceMs: SILENCE_MS });
  output.answer(answer, () => {
    const done = `Built the index from ${count(answer.files, "file")} in ${Math.round(answer.ms)} ms.`;
    return answer.problems === 0
      ? done
      : `${done}\n${count(answer.problems, "problem")}: '${output.calledAs} doctor' names them.`;
  });
  return 0;
};
