import type { Passed } from "../results/lifecycle-events.ts";
import type { MergeCheck, MergeOrder, Merging } from "./merging.ts";

/**
 * Lets nothing into the target but what was judged: the tree of the commit, or what it becomes together with the commit of the target
 * that it was judged with. What others brought into the target since may be what it does not work with.
 */
export async function onlyJudged(merging: Merging, order: MergeOrder, { head, onto }: Passed): Promise<MergeCheck> {
  const trees = [await merging.treeOf(order, head), onto && (await merging.treeOf(order, head, onto))];
  return async ({ from, to }) =>
    trees.includes(to) ? undefined : { obstacle: `the branch '${order.target}' moved`, moved: from };
}
