import { groupsOn, type Holders, type KnownPerson } from '../../people/holders.js';
import type { Day } from '../../values/day.js';
import type { Name } from '../../values/name.js';
import type { PersonId } from '../../values/people/person.js';
import { folded } from '../../values/people/stamped.js';
import { isReservedTallyId, type TallyId } from '../../values/tally-id.js';
import { BEGINNING, type Timestamp } from '../../values/timestamp.js';
import { eachInTurns, type Pause } from '../turns.js';
import type { PersonRow } from './person-list.js';

/** No entry of a timeline is in the future, so the last one holds. */
const NOW = Number.MAX_SAFE_INTEGER as Timestamp;
/** As many persons who are not in a list are shown. */
const LEFT_MAX = 1_000;

/** A full name as it is compared. It does not matter which part is the first name. */
export function fullNameOf({ first, last }: Name): string {
  const text = `${first} ${last}`;
  // Folding takes longer than all else that is done with a row.
  return (ASCII.test(text) ? text.toLowerCase().trim() : folded(text)).replaceAll(/\s+/g, ' ');
}

const ASCII = /^[ -~]*$/;

/** A person as an import shows them. */
export interface ImportedPerson {
  readonly id: PersonId;
  readonly name: Name | undefined;
  readonly number: string | undefined;
  /** The names of their groups today. */
  readonly groups: readonly string[];
  /** The tags that they hold now. */
  readonly tags: readonly TallyId[];
  readonly isGuest?: true;
}

/** The persons of one moment, by what a list says of them. */
export class KnownPeople {
  readonly #holders: Holders;
  readonly #today: Day;
  readonly #byName = new Map<string, KnownPerson[]>();
  readonly #byNumber = new Map<string, KnownPerson[]>();

  private constructor(holders: Holders, today: Day) {
    this.#holders = holders;
    this.#today = today;
  }

  /** Finds the persons with the names and numbers of rows. */
  static async find(
    rows: readonly PersonRow[],
    holders: Holders,
    today: Day,
    pause: Pause,
  ): Promise<KnownPeople> {
    const known = new KnownPeople(holders, today);
    const [names, numbers] = [known.#byName, known.#byNumber];
    for (const { name, number } of rows) {
      names.set(fullNameOf(name), []);
      if (number !== undefined) numbers.set(number, []);
    }
    const take = (person: KnownPerson): void => {
      const { name, number } = person;
      if (name !== undefined) names.get(fullNameOf(name))?.push(person);
      if (number !== undefined) numbers.get(number)?.push(person);
    };
    await eachInTurns(holders.all(), take, pause);
    return known;
  }

  /** Somebody with a name, by any id that was merged into theirs. */
  person(id: PersonId): KnownPerson | undefined {
    const person = this.#holders.person(id);
    return person?.name === undefined ? undefined : person;
  }

  named(name: Name): readonly KnownPerson[] {
    return this.#byName.get(fullNameOf(name)) ?? [];
  }

  numbered(number: string | undefined): readonly KnownPerson[] {
    return number === undefined ? [] : (this.#byNumber.get(number) ?? []);
  }

  /** The present holder of a tag. */
  holder(tag: TallyId): KnownPerson | undefined {
    const { person } = this.#holders.holderOf(tag, NOW);
    return person && this.person(person);
  }

  /** Whether a person held a tag once, or lost it. */
  heldOnce(tag: TallyId, id: PersonId): boolean {
    const seconds = [BEGINNING, ...this.#holders.boundaries(tag, BEGINNING, NOW)];
    return seconds.some((at) => this.#holders.holderOf(tag, at).person === id);
  }

  hasGroup(name: string): boolean {
    return this.#holders.groupNamed(name) !== undefined;
  }

  /** Whether a person is in just these groups today. */
  isInGroups({ memberships }: KnownPerson, names: readonly string[]): boolean {
    const wanted = new Set(names.map((name) => this.#holders.groupNamed(name)));
    const present = groupsOn(memberships, this.#today);
    return wanted.size === present.length && present.every((id) => wanted.has(id));
  }

  shown({ id, name, number, memberships, tags, guest }: KnownPerson): ImportedPerson {
    const groups = groupsOn(memberships, this.#today).map(
      (group) => this.#holders.groups.get(group) ?? group,
    );
    return {
      ...{ id, name, number, groups },
      tags: tags.filter(({ isLost }) => !isLost).map((tag) => tag.id),
      ...(guest && { isGuest: true }),
    };
  }

  /** The members who are not among these persons, and have not left already; at most {@link LEFT_MAX}. */
  async others(listed: ReadonlySet<PersonId>, pause: Pause): Promise<readonly ImportedPerson[]> {
    const left: ImportedPerson[] = [];
    const take = (person: KnownPerson): void => {
      const { id, until, guest } = person;
      const isPresent = guest === undefined && (until === undefined || until >= this.#today);
      if (isPresent && !listed.has(id) && left.length < LEFT_MAX) left.push(this.shown(person));
    };
    await eachInTurns(this.#holders.all(), take, pause);
    return left;
  }
}

/** The tags of a row that can be given: not those of last resort, which are never handed on. */
export function tagsOf({ tags }: PersonRow): readonly TallyId[] {
  return tags.map(({ id }) => id).filter((id) => !isReservedTallyId(id));
}
