import { z } from "zod";

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

const DEFAULT_PORT = 4777;

/** config.yml. Every key is optional; an unknown key is refused, so that a typing error never goes unnoticed. */
export const Config = z.strictObject({
  version: z.literal(1).default(1),
  server: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: z
        .int()
        .refine((port) => port === 0 || (port >= 1024 && port <= 65_535), "must be 0 (any free port) or 1024 to 65535")
        .default(DEFAULT_PORT),
      allowNetwork: z.boolean().default(false),
    })
    .prefault({})
    .refine((server) => server.allowNetwork || LOOPBACK.includes(server.host), {
      path: ["host"],
      error: "must be 127.0.0.1, ::1 or localhost; any other address needs 'allowNetwork: true' beside it",
    }),
});
export type Config = z.infer<typeof Config>;
