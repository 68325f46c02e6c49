/** One way to break a promise, and the titles of exactly the cases that must notice it, in order. */
export interface Sabotage<Fake> {
  /** The fault in words, as in "notices a fake that …". */
  readonly fault: string;
  readonly Fake: Fake;
  readonly fails: readonly string[];
}
