/** Fills a task's completion notes; it never refuses. */
export const COMPLETION_NOTES = "completion-notes";
export const CRITERIA_ADDRESSED = "criteria-addressed";
