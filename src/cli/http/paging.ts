import { HallError } from "../../contract/errors.ts";

export interface PagingInput {
  limit?: number | undefined;
  cursor?: string | undefined;
  all?: boolean | undefined;
}

const MOST_AT_ONCE = 1_000;

/** One page, or with --all every page put together by `join`. */
export async function readPages<Page extends { nextCursor?: string | undefined }>(
  { limit, cursor, all }: PagingInput,
  read: (page: { limit?: number | undefined; cursor?: string | undefined }) => Promise<Page>,
  join: (before: Page, next: Page) => Page,
): Promise<Page> {
  if (all !== true) return read({ limit, cursor });
  if (limit !== undefined) throw new HallError("usage", "--all and --limit can't be combined.");
  let page = await read({ limit: MOST_AT_ONCE, cursor });
  let whole = page;
  while (page.nextCursor !== undefined) {
    page = await read({ limit: MOST_AT_ONCE, cursor: page.nextCursor });
    whole = join(whole, page);
  }
  return whole;
}

/** Tells how to see the rest of a list. */
export function moreLines(nextCursor: string | undefined): string[] {
  return nextCursor === undefined
    ? []
    : [`More results available. Pass --all for all of them or --cursor ${nextCursor} for the next page.`];
}
