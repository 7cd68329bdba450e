import { HallError } from "../../../contract/errors.ts";
import { command } from "../../command.ts";
import type { CommandEntry } from "../../command-spec.ts";

export const commands = {
  completion: command(
    {
      summary: "Print a shell completion script",
      args: { shell: { kind: "one", help: "One of bash, zsh or fish", words: ["bash", "zsh", "fish"] } },
      examples: [
        "completion bash > ~/.local/share/bash-completion/completions/guildhall",
        "completion fish > ~/.config/fish/completions/guildhall.fish",
      ],
    },
    async ({ shell }, { allCommands, output }) => {
      if (!Object.hasOwn(scripts, shell)) {
        throw new HallError("usage", `No completion available for '${shell}'.`, { hint: "Choose bash, zsh or fish." });
      }
      const script = (await scripts[shell]?.(await allCommands())) ?? "";
      output.row({ shell, script }, () => script.trimEnd());
      return 0;
    },
  ),
};

const scripts: Record<string, (entries: CommandEntry[]) => Promise<string>> = {
  bash: async (entries) => (await import("../../completion/bash.ts")).bashScript(entries),
  zsh: async (entries) => (await import("../../completion/zsh.ts")).zshScript(entries),
  fish: async (entries) => (await import("../../completion/fish.ts")).fishScript(entries),
};
