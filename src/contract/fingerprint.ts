/** By which a secret is recognised where it stands, without being held. */
export interface Fingerprint {
  /** What is shown in its place. */
  mark: string;
  length: number;
  /** A short number for how it begins: it tells where to look closely. */
  start: number;
  /** Salted, of the whole. */
  hash: string;
}

export interface Fingerprints {
  salt: string;
  values: Fingerprint[];
}
