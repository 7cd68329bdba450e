import { z } from "zod";
import { line } from "../words/text.ts";

/** `none`: commands run with all the rights of the hall's own user. */
const SANDBOX_NAMES = ["bwrap", "unshare", "seatbelt", "none"] as const;
export const SandboxName = z.enum(SANDBOX_NAMES);
export type SandboxName = z.infer<typeof SandboxName>;

const Place = line(1_000).refine((value) => value.startsWith("/"), "must be an absolute path");
const Places = z.array(Place).max(50);

const settings = {
  /** Whether commands reach the network, and with it what listens on this machine. */
  network: z.boolean().optional(),
  /** Paths that commands may read, beside the working folder and the toolchains on PATH. */
  readable: Places.optional(),
  /** Paths that commands may also change. */
  writable: Places.optional(),
  /** Of each process's data, and of all its processes together. */
  memoryMb: z.int().min(64).max(1_048_576).optional(),
  processes: z.int().min(8).max(100_000).optional(),
  /** Run commands without any sandbox where none works on this machine. */
  unsandboxed: z.boolean().optional(),
};

export const SandboxSettings = z.strictObject(settings);
export type SandboxSettings = z.infer<typeof SandboxSettings>;
/** A change names only what it changes; null takes a setting away. */
export const SandboxSettingsUpdate = z.strictObject({
  network: settings.network.nullable(),
  readable: settings.readable.nullable(),
  writable: settings.writable.nullable(),
  memoryMb: settings.memoryMb.nullable(),
  processes: settings.processes.nullable(),
  unsandboxed: settings.unsandboxed.nullable(),
});

/** What runs commands on this machine; `probing` until it was tried. */
export const SandboxState = z.strictObject({
  name: z.enum([...SANDBOX_NAMES, "probing"]),
  /** What was tried, and why something does not work. */
  detail: z.string(),
});
export type SandboxState = z.infer<typeof SandboxState>;

/** How the commands of a run are kept in; part of its plan. */
export const RunSandbox = z.strictObject({
  name: SandboxName,
  network: z.boolean(),
  readable: z.array(z.string()),
  writable: z.array(z.string()),
  memoryMb: z.int(),
  processes: z.int(),
  /** Files of the project that commands find empty. */
  envFiles: z.array(z.string()),
  /** Folders of which commands see nothing but what the working folder is. */
  hidden: z.array(z.string()),
  /** Variables that commands have besides. */
  env: z.record(z.string(), z.string()).optional(),
});
export type RunSandbox = z.infer<typeof RunSandbox>;
