import type { Action } from "../context.ts";

export const init: Action<"init"> = async (_, { workspace, host, output }) => {
  const { initWorkspace } = await host.loadDaemon();
  const answer = await initWorkspace({ workspace });
  output.answer(answer, () =>
    answer.created
      ? `Created the workspace ${answer.path}\nStart the daemon with 'guildhall up'.`
      : `The workspace ${answer.path} is already there.`,
  );
  return 0;
};
