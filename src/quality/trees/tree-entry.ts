/** What git keeps of a file in a tree. */
export interface TreeEntry {
  mode: string;
  object: string;
}

/** Every path of a tree. */
export type Listing = ReadonlyMap<string, TreeEntry>;

/** A path with other content: of an object that exists, or none. */
export interface Placed {
  path: string;
  entry: TreeEntry | undefined;
}
