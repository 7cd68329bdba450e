import type { Action } from "../context.ts";
import { oneLine } from "../plain-text.ts";
import { fieldLines, localTime, proseLines } from "../text-card.ts";

export const roleShow: Action<"role show"> = async ({ role: id }, { call, output }) => {
  const answer = await call("getRole", { params: { id } });
  const { role } = answer;
  const { modelConfig: model } = role;
  output.answer(answer, () =>
    [
      `${oneLine(role.emoji)} ${output.paint("bold", oneLine(role.name))}`,
      ...fieldLines(
        [
          ["id", role.id],
          ["version", role.version],
          ["specialty", role.specialty.join(", ")],
          ["model", model.model],
          ["thinking", model.thinking],
          ["timeout", `${model.timeout} s`],
          ["temperature", model.temperature],
          ["max tokens", model.maxTokens],
          ["skills", role.skills.join(", ")],
          ["variables", role.variables.join(", ")],
          ["updated", localTime(role.updatedAt)],
          ["etag", role.etag],
        ],
        output.paint,
      ),
      ...proseLines("Description", role.description, output),
      ...proseLines("Prompt", role.systemPromptTemplate, output),
    ].join("\n"),
  );
  return 0;
};
