import { release } from "node:os";

const PLAIN_ID = 1_000;

/**
 * As whom commands see themselves. Outside they are the hall's own user, so that files stay the person's; root, though,
 * would get its capabilities back with each program, were it called so inside.
 */
export function innerIds(): { uid: number; gid: number } {
  return { uid: process.getuid?.() || PLAIN_ID, gid: process.getgid?.() || PLAIN_ID };
}

function kernelIs(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = release()
    .split(".")
    .map((part) => Number.parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Whether the kernel counts a user's processes for each user namespace. Before, it counted all of the person's. */
export function countsOwnProcesses(): boolean {
  return kernelIs(5, 14);
}

/** Whether the kernel bounds how many processes a command has, from the first on. */
export function boundsProcesses(): boolean {
  return canLimitProcesses() || (process.getuid?.() !== 0 && countsOwnProcesses());
}

/**
 * Whether a process namespace has its own highest number, which bounds root too. Before, the setting was the whole
 * machine's and must not be touched.
 */
export function canLimitProcesses(): boolean {
  return process.platform === "linux" && kernelIs(6, 14);
}
