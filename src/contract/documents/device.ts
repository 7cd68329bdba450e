import { z } from "zod";
import { line } from "../words/text.ts";

/** A phone or another browser that was paired, and may be signed out from elsewhere. */
export const Device = z.strictObject({
  id: z.string().regex(/^[\w-]{22}$/),
  name: line(80),
  pairedAt: z.string(),
  lastSeenAt: z.string(),
  expiresAt: z.string(),
});
export type Device = z.infer<typeof Device>;
