import { computed, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { Name, PersonSummary, UnnamedTag } from '@tallybook/client';
import type { Service, ServiceClock, Tap } from '../service.js';
import type { People } from './people.js';

/** A tag that was given to somebody: to a person, or by a name; `before` is the name that it replaced. */
export interface NameChange {
  readonly id: string;
  readonly before: Name | null;
  readonly after: Name;
  readonly person?: string;
}

/** A tag that has a name already. */
interface KnownTag {
  readonly id: string;
  readonly name: Name;
}

/**
 * Gives tags their names one after another, in the order in which they are held to a reader.
 *
 * Two people may work together: one holds tags, and one types names. Neither has to wait for the other.
 */
export class Enrolment {
  private readonly service: Pick<Service, 'listUnnamed' | 'actOnTag'>;
  private readonly people: People;
  private readonly clock: ServiceClock;
  private readonly naming = signal('');
  private readonly held = signal<readonly string[]>([]);
  private readonly seen = signal<readonly UnnamedTag[] | undefined>(undefined);
  private readonly owned = signal<KnownTag | undefined>(undefined);
  private readonly given = signal<readonly NameChange[]>([]);
  /** Taps from before the list was read: the list may have them or not. */
  private readonly early: Tap[] = [];
  /** The tags without a name that were read while another tag was being named. */
  readonly waiting: ReadonlySignal<readonly string[]>;
  /**
   * The tags without a name that were read in the last weeks, latest first; `undefined` before the service has
   * answered.
   */
  readonly unnamed: ReadonlySignal<readonly UnnamedTag[] | undefined>;
  /** The tag that is being named; empty if there is none. */
  readonly current: ReadonlySignal<string> = this.naming;
  /** The tag that was read last, if it has a name already. */
  readonly known: ReadonlySignal<KnownTag | undefined> = this.owned;
  /** The names that were given here, latest first. */
  readonly done: ReadonlySignal<readonly NameChange[]> = this.given;

  /** What was done last, to read it back. */
  readonly last: ReadonlySignal<(NameChange & { readonly isUndone: boolean }) | undefined>;
  private readonly said = signal<(NameChange & { readonly isUndone: boolean }) | undefined>(undefined);
  /** The second of the first tap of each tag. */
  private readonly tappedAt = new Map<string, number>();

  constructor(parts: {
    service: Pick<Service, 'listUnnamed' | 'actOnTag'>;
    people: People;
    clock: ServiceClock;
  }) {
    this.service = parts.service;
    this.people = parts.people;
    this.clock = parts.clock;
    this.last = this.said;
    const isUnnamed = (id: string): boolean => this.people.nameOf(id) === undefined;
    this.waiting = computed(() => this.held.value.filter(isUnnamed));
    this.unnamed = computed(() => this.seen.value?.filter(({ id }) => isUnnamed(id)));
  }

  async load(): Promise<void> {
    this.seen.value = await this.service.listUnnamed();
    for (const tap of this.early.splice(0)) this.note(tap);
  }

  /** Takes a tap. A tag without a name is the next one. */
  take(tap: Tap): void {
    const { id } = tap;
    const name = untracked(() => this.people.nameOf(id));
    this.owned.value = name === undefined ? undefined : { id, name };
    if (name !== undefined) return;
    this.note(tap);
    if ('at' in tap && tap.at !== null && !this.tappedAt.has(id)) this.tappedAt.set(id, tap.at);
    if (this.naming.peek() === '') this.naming.value = id;
    else if (this.naming.peek() !== id && !this.held.peek().includes(id))
      this.held.value = [...this.held.peek(), id];
  }

  /** Makes this tag the current one, in place of any other. */
  choose(id: string): void {
    this.owned.value = undefined;
    this.held.value = this.held.peek().filter((each) => each !== id);
    this.naming.value = id;
  }

  /** Leaves this tag without a name, and goes on. */
  next(): void {
    this.owned.value = undefined;
    const [next = '', ...others] = this.waiting.peek();
    this.held.value = others;
    this.naming.value = next;
  }

  /** Gives a tag a name, and goes on with the next one. */
  async give(id: string, name: Name): Promise<void> {
    const before = untracked(() => this.people.nameOf(id)) ?? null;
    await this.people.name(id, name);
    this.goOn({ id, before, after: name });
  }

  /** Gives a tag to a person, and goes on with the next one. */
  async giveTo(id: string, { id: person, name: after }: Pick<PersonSummary, 'id' | 'name'>): Promise<void> {
    const act = { id, format: 'hex', act: 'give', person } as const;
    const since = this.tappedAt.get(id);
    // A tag that somebody held before is theirs from its tap on; any other one from the beginning.
    const wasHeld =
      since !== undefined && (await this.service.actOnTag({ ...act, isDryRun: true })).before.length > 0;
    await this.service.actOnTag({ ...act, ...(wasHeld && { since }) });
    this.people.hold(id, person);
    this.goOn({ id, before: null, after: after ?? { first: '', last: '' }, person });
  }

  /** Undoes a change that was made here. Its tag is asked about again, as soon as none is being named. */
  async undo(change: NameChange): Promise<void> {
    const { id, before, person } = change;
    if (person === undefined) await this.people.name(id, before);
    else {
      await this.service.actOnTag({ id, format: 'hex', act: 'undo' });
      this.people.hold(id, undefined);
    }
    this.given.value = this.given.peek().filter((each) => each !== change);
    this.said.value = { ...change, isUndone: true };
    if (this.naming.peek() === '') this.choose(id);
    else if (before === null) this.held.value = [id, ...this.held.peek().filter((each) => each !== id)];
  }

  /** Undoes the last change, and asks about its tag now: the one that is being named waits. */
  async undoLast(): Promise<void> {
    const [change] = this.given.peek();
    if (change === undefined) return;
    await this.undo(change);
    const current = this.naming.peek();
    if (current === change.id) return;
    this.held.value = [current, ...this.held.peek()];
    this.choose(change.id);
  }

  private goOn(change: NameChange): void {
    this.given.value = [change, ...this.given.peek().filter(({ id }) => id !== change.id)];
    this.said.value = { ...change, isUndone: false };
    this.tappedAt.delete(change.id);
    this.next();
  }

  /** Updates the list, without asking the service at each tap. */
  private note(tap: Tap): void {
    const { id, reader } = tap;
    const seen = this.seen.peek();
    if (tap.outcome === 'failed') return;
    if (seen === undefined) {
      this.early.push(tap);
      return;
    }
    const before = seen.find((each) => each.id === id);
    if (before !== undefined && tap.at !== null && tap.at <= before.at) return;
    const { day } = this.clock.told.peek() ?? { day: 0 };
    const scans = (before?.scans ?? 0) + 1;
    const latest = { id, at: tap.at ?? this.clock.now(), day: tap.day ?? day, scans, reader: reader ?? '' };
    this.seen.value = [latest, ...seen.filter((each) => each.id !== id)];
  }
}
