import type { Action } from "../context.ts";

export const open: Action<"open"> = async ({ print }, { call, host, output }) => {
  const { url } = await call("createBrowserLink", {});
  const opens = print !== true && host.out.isTerminal && !output.json;
  output.answer({ url }, () => (opens ? `Opening ${url}\nThe link works once, within ten minutes.` : url));
  if (opens) await host.openBrowser(url);
  return 0;
};
