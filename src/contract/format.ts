/**
 * The format of a workspace and of every durable line in it. It is raised when a program of the format before would
 * misread what this one writes; a step in `workspace/migrations` then rewrites what is there. Without a number: format 1.
 */
export const FORMAT = 2;
