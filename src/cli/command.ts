import type { CommandEntry, CommandSpec, InputOf } from "./command-spec.ts";
import type { Context } from "./context.ts";

/** Runs one command. Returns an exit code when it is not 0. */
type Action<Input> = (input: Input, context: Context) => Promise<number | undefined>;

/** What a command takes and what it does. The parser builds the input from `spec`, and `spec` is the action's type. */
export interface Command {
  spec: CommandSpec;
  action: Action<never>;
}

export interface TableEntry extends CommandEntry, Command {}

export function command<const Spec extends CommandSpec>(spec: Spec, action: Action<InputOf<Spec>>): Command {
  return { spec, action };
}
