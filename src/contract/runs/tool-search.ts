import { z } from "zod";

/** What a search for secrets found in a folder of programs, and when, in milliseconds since 1970. */
export const ToolSearch = z.object({
  folder: z.string(),
  at: z.number(),
  /** Each is found empty by commands. */
  masked: z.array(z.object({ path: z.string(), kind: z.enum(["folder", "file"]) })),
});
export type ToolSearch = z.infer<typeof ToolSearch>;
