import { afterAll, expect } from "vitest";

/**
 * Before each file of tests that shares its process with others: what a daemon sets for its whole process is as it was
 * when they are over, and nothing else may differ.
 */
const found = { umask: process.umask(), folder: process.cwd(), env: { ...process.env } };

afterAll(() => {
  process.umask(found.umask);
  expect({ folder: process.cwd(), env: { ...process.env } }).toEqual({ folder: found.folder, env: found.env });
});
