import { placeKind } from "../../store/host/host-places.ts";

/**
 * The hall may run as root. Root without any capability still owns these files of the kernel, and with them the machine:
 * /proc/sys/kernel/core_pattern alone names a program that the kernel runs.
 */
const SETTINGS = ["sys", "irq", "bus", "fs", "acpi", "scsi", "pressure", "sysrq-trigger"];
const SECRETS = ["kcore", "keys", "timer_list", "sched_debug", "mtrr"];

/** To be found read-only. */
export function kernelSettings(): string[] {
  return present(SETTINGS);
}

/** To be found empty. */
export function kernelSecrets(): string[] {
  return present(SECRETS);
}

function present(names: readonly string[]): string[] {
  return names.map((name) => `/proc/${name}`).filter((path) => placeKind(path) !== undefined);
}
