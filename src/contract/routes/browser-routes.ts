import { z } from "zod";
import { Device } from "../documents/device.ts";
import { line } from "../words/text.ts";
import { byId, success } from "./route-parts.ts";

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
  createPairLink: {
    summary: "Create a one-time link that pairs a phone, valid for five minutes. Needs the token.",
    group: "Hall",
    body: z.strictObject({ name: line(80).optional() }),
    response: z.strictObject({ url: z.string(), expiresAt: z.string() }),
    status: 201,
  },
  listDevices: {
    summary: "Paired devices.",
    group: "Hall",
    response: z.strictObject({
      devices: z.array(Device),
      /** Where phones are sent to; absent where none can be paired. */
      address: z.string().optional(),
      /** Why none can be paired. */
      refused: z.string().optional(),
    }),
  },
  removeDevice: {
    summary: "Sign out a paired device.",
    group: "Hall",
    params: byId,
    response: z.strictObject(success),
  },
  closeBrowserSession: {
    summary: "Sign out the browser.",
    group: "Hall",
    response: z.strictObject(success),
  },
} as const;
