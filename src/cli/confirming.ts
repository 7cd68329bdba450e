import type { Context } from "./context.ts";

/** Whether somebody can be asked, and sees what is shown before. */
export function canConfirm({ host, output }: Context): boolean {
  return host.input.canAsk && host.out.isTerminal && !output.json;
}

export function agrees(reply: string): boolean {
  return /^y(es)?$/i.test(reply.trim());
}
