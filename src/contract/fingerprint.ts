import { z } from "zod";

/** By which a secret is recognised where it stands, without being held. */
const Fingerprint = z.strictObject({
  /** What is shown in its place. */
  mark: z.string(),
  length: z.number(),
  /** A short number for how it begins: it tells where to look closely. */
  start: z.number(),
  /** Salted, of the whole. */
  hash: z.string(),
});
export type Fingerprint = z.infer<typeof Fingerprint>;

export const Fingerprints = z.strictObject({ salt: z.string(), values: z.array(Fingerprint) });
export type Fingerprints = z.infer<typeof Fingerprints>;
