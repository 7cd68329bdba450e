/** Of each output of a hook. */
export const MOST_KEPT = 64 * 1024;
/** A hook that prints more is ended. */
export const MOST_PRINTED = 4 * 1024 * 1024;
/** Hooks at once; others wait. */
export const AT_ONCE = 8;
/** Of what agents and records get of one hook's words. */
export const MOST_TOLD = 8_000;
