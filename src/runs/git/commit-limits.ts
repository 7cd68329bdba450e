import { GitFailure } from "./git.ts";

/** In bytes. */
export interface CommitLimits {
  /** Of one file. */
  file: number;
  /** Of all that a run added or changed. */
  total: number;
}

const MEGABYTE = 1_048_576;

export function commitLimits({ fileMb, totalMb }: { fileMb: number; totalMb: number }): CommitLimits {
  return { file: fileMb * MEGABYTE, total: totalMb * MEGABYTE };
}

export interface SizedFile {
  path: string;
  size: number;
}

const MOST_NAMED = 5;
const WHAT_TO_DO =
  "Delete or git-ignore files that don't belong there, or raise git.fileMb or git.totalMb in config.yml and restart the daemon";

/** Throws before git reads a byte of it: a file that takes no room on the disk may still be read for minutes. */
export function assertCommittable(files: readonly SizedFile[], { file: longest, total: most }: CommitLimits): void {
  const tooLong = files.filter(({ size }) => size > longest);
  if (tooLong.length > 0)
    throw new GitFailure(
      `the result is too large to commit: ${named(tooLong)} over the limit of ${megabytes(longest)} for a file. ${WHAT_TO_DO}`,
    );
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > most)
    throw new GitFailure(
      `the result is too large to commit: ${megabytes(total)} in total, over the limit of ${megabytes(most)}; the largest: ${named(files)}. ${WHAT_TO_DO}`,
    );
}

function named(files: readonly SizedFile[]): string {
  const largest = files.toSorted((one, other) => other.size - one.size).slice(0, MOST_NAMED);
  const rest = files.length - largest.length;
  const names = largest.map(({ path, size }) => `'${path}' (${megabytes(size)})`).join(", ");
  return rest === 0 ? names : `${names} and ${rest} more`;
}

function megabytes(bytes: number): string {
  return `${Math.ceil((bytes / MEGABYTE) * 10) / 10} MB`;
}
