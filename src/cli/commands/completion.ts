import { HallError } from "../../contract/errors.ts";
import type { Action } from "../context.ts";

const scripts: Record<string, () => Promise<string>> = {
  bash: async () => (await import("../completion/bash.ts")).bashScript(),
  zsh: async () => (await import("../completion/zsh.ts")).zshScript(),
  fish: async () => (await import("../completion/fish.ts")).fishScript(),
};

export const completion: Action<"completion"> = async ({ shell }, { output }) => {
  if (!Object.hasOwn(scripts, shell)) {
    throw new HallError("usage", `There is no completion for '${shell}'.`, { hint: "Choose bash, zsh or fish." });
  }
  const script = (await scripts[shell]?.()) ?? "";
  output.row({ shell, script }, () => script.trimEnd());
  return 0;
};
