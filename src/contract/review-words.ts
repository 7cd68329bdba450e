/** Apart from the schemas, so that commands and pages can load them without. */
export const RUN_PURPOSES = ["work", "review"] as const;
