import type { Contents } from './contents.js';

/** The prefix of the tags of visitors. Visitors come only to be erased. */
export const VISITOR = 'D0';

/** At least the times in which a person held a tag. */
const TAGS_OF_A_PERSON = 100;

/** Erased tags, and tags with a requested erasure: these must still have all of their data, or none. */
export class Erasures {
  readonly #visitors = new Set<string>();
  readonly #asked = new Set<string>();
  readonly #erased = new Set<string>();
  /** Numbers of acknowledged and of requested erasures. The journal has at least the former, and at most the latter. */
  #told = 0;
  #tries = 0;
  acknowledged = 0;

  /** Tags of visitors with a name whose erasure is not certain. */
  get visitors(): readonly string[] {
    return [...this.#visitors].filter((id) => !this.#erased.has(id));
  }

  /** A tag got a name. */
  named(id: string): void {
    if (id.startsWith(VISITOR)) this.#visitors.add(id);
  }

  erasing(id: string): void {
    this.#asked.add(id);
    this.#tries++;
  }

  /** A person is about to be erased, with all of their tags. */
  erasingPerson(): void {
    this.#tries += TAGS_OF_A_PERSON;
  }

  erased(id: string): void {
    this.#asked.delete(id);
    this.#erased.add(id);
    this.#told++;
    this.acknowledged++;
  }

  /** Erased tags, and tags with a requested erasure and no data left. */
  goneIn(contents: Contents): ReadonlySet<string> {
    const unmentioned = [...this.#asked].filter((id) => whereIs(id, contents).length === 0);
    return new Set([...this.#erased, ...unmentioned]);
  }

  *judge(contents: Contents): Generator<string> {
    for (const id of this.#erased) {
      const places = whereIs(id, contents);
      if (places.length > 0) yield `${id} was erased, and is in ${places.join(', ')}`;
    }
    if (contents.journal === undefined) return;
    const told = contents.journal.entries.filter(({ change }) => change.kind === 'erased').length;
    // An erasure is requested again if the service was killed before its answer.
    if (told < this.#told || told > this.#tries)
      yield `the journal has ${told} erasures; ${this.#tries} were asked for, ${this.#told} of them acknowledged`;
  }

  settle(contents: Contents): void {
    for (const id of this.goneIn(contents)) this.#erased.add(id);
    this.#asked.clear();
    this.#told = 0;
    this.#tries = 0;
  }
}

function whereIs(
  id: string,
  { mapping, days, provisional, corrections, journal }: Contents,
): readonly string[] {
  const places: readonly (readonly [string, boolean])[] = [
    ['the names', mapping.has(id)],
    ['the days', [...days.values()].some((entries) => entries.some((entry) => entry.id === id))],
    ['the provisional scans', provisional.some((scan) => scan.id === id)],
    ['the corrections', corrections?.some((correction) => correction.id === id) === true],
    ['the journal', journal?.entries.some(({ change }) => 'id' in change && change.id === id) === true],
  ];
  return places.flatMap(([place, isThere]) => (isThere ? [place] : []));
}
