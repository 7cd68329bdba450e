import { z } from "zod";
import { line } from "../words/text.ts";
import { success } from "./route-parts.ts";

export const browserRoutes = {
  createBrowserLink: {
    summary: "Create a one-time sign-in link for a browser, valid for ten minutes. Needs the token.",
    group: "Hall",
    response: z.strictObject({ url: z.string(), expiresAt: z.string() }),
    status: 201,
  },
  openBrowserSession: {
    summary: "Exchange the code of a sign-in link for a cookie and its page key. Needs no token.",
    group: "Hall",
    body: z.strictObject({ code: line(200) }),
    response: z.strictObject({
      /** Every later request sends it in the header `x-guildhall-page`, beside the cookie. */
      key: z.string(),
      expiresAt: z.string(),
    }),
    status: 201,
  },
  closeBrowserSession: {
    summary: "Sign the browser out.",
    group: "Hall",
    response: z.strictObject(success),
  },
} as const;
