/** One way to break a promise, and the titles of the cases that are there to notice it. */
export interface Sabotage<Fake> {
  /** The fault in words, as in "notices a fake that …". */
  readonly fault: string;
  readonly Fake: Fake;
  readonly fails: readonly string[];
}

/** A fake, or a class that names its cases itself. */
type Planted<Fake> = Omit<Sabotage<Fake>, 'fault'> | (Fake & Pick<Sabotage<Fake>, 'fails'>);

/** Makes sabotages of a table of fakes by their faults. */
export function faults<Fake>(table: Readonly<Record<string, Planted<Fake>>>): readonly Sabotage<Fake>[] {
  return Object.entries(table).map(([fault, planted]) => ({
    fault,
    Fake: 'Fake' in planted ? planted.Fake : planted,
    fails: planted.fails,
  }));
}
