/** Ids of messages to runs that Guildhall itself says. Those of people begin otherwise. */
export const HALL_MESSAGE = "hall-";
/** One of them that has older turns summarized before the next. */
export const COMPACT_MESSAGE = `${HALL_MESSAGE}compact-`;
