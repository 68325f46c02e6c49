import { AccessLedger } from './access-ledger.js';
import type { Contents, ShownEntry, ShownProvisional } from './contents.js';
import { CorrectionLedger } from './correction-ledger.js';
import { Erasures } from './erasures.js';
import { JournalLedger } from './journal-ledger.js';
import { versionOf } from './names.js';
import { describe, isHeld, PeopleLedger, withoutPeople } from './people-ledger.js';

/** Known facts about the name of a tag. */
interface NameAccount {
  /** The latest acknowledged version, or the version at the last settlement; 0: none. */
  sure: number;
  /** Versions that were sent after `sure`, and may be there or not. */
  readonly open: Set<number>;
}

/** A scan that was acknowledged as provisional. */
interface HeldScan {
  /** The right day and second of the scan. */
  readonly day: number;
  readonly at: number;
  /** The time that the clock showed. */
  readonly shown: number;
}

/** Known facts about the scans of a tag. */
interface ScanAccount {
  /** Acknowledged entries, and those at the last settlement, by day. */
  readonly sure: Map<number, ShownEntry>;
  /** Scans that were acknowledged as provisional, by the time that the clock showed: they wait, or are filed. */
  readonly held: Map<number, HeldScan>;
  /** Taps without an acknowledged scan that has its time. */
  open: number;
  /** Taps that were indicated as recorded, and acknowledged scans, since the last settlement. */
  indicated: number;
  attended: number;
  /** Indicated taps that may have been on a removed day: their day was not acknowledged. */
  forgiven: number;
}

/**
 * Requests to a service, and its acknowledgements: a 2xx answer, an `attendance` event, or an indication.
 *
 * A scan that was acknowledged as provisional waits for its day, or is recorded once with its right second.
 *
 * It knows which data must be there after a crash, and which may be there; all other data must not be there. The name
 * of a tag is put by only one writer, which waits for the answer, and each scan has a second of its own.
 */
export class Ledger {
  readonly #names = new Map<string, NameAccount>();
  readonly #scans = new Map<string, ScanAccount>();
  readonly #journal = new JournalLedger();
  readonly corrections: CorrectionLedger = new CorrectionLedger();
  readonly access: AccessLedger = new AccessLedger();
  readonly erasures: Erasures = new Erasures();
  readonly people: PeopleLedger = new PeopleLedger();
  /** Removed days, and days with a requested removal. */
  readonly #removed = new Set<number>();
  readonly #removing = new Set<number>();
  /** Number of recorded acknowledgements. */
  answers = 0;
  attendances = 0;
  holdings = 0;
  indications = 0;
  removals = 0;
  /** Number of entries of the journal that a follower got. */
  told = 0;

  /** A ledger of the notes of the service under test. */
  static of(notes: readonly string[]): Ledger {
    const ledger = new Ledger();
    for (const note of notes) ledger.take(note);
    return ledger;
  }

  /** The cursor after which the journal is to be read. */
  get after(): number {
    return this.#journal.after;
  }

  /** Number of acknowledgements of each kind, for the table of figures. */
  get counts(): Readonly<Record<string, number>> {
    return {
      'answered names': this.answers,
      'scans announced by an event': this.attendances,
      'provisional scans': this.holdings,
      'indicated taps': this.indications,
      'removed days': this.removals,
      corrections: this.corrections.acknowledged,
      'changes of users, sessions and tokens': this.access.changes,
      sessions: this.access.sessions,
      'erased tags': this.erasures.acknowledged,
      'acts on persons and tags': this.people.acknowledged,
      'erased persons': this.people.erasures,
      'changes from the journal': this.told,
    };
  }

  /** The version that the next name of a tag should have. */
  nextVersion(id: string): number {
    const { sure, open } = this.#name(id);
    return Math.max(sure, ...open) + 1;
  }

  put(id: string, version: number): void {
    this.#name(id).open.add(version);
    this.#journal.put(id, version);
  }

  answered(id: string, version: number): void {
    const account = this.#name(id);
    account.sure = version;
    for (const each of account.open) if (each <= version) account.open.delete(each);
    this.#journal.answered(id, version);
    this.erasures.named(id);
    this.answers++;
  }

  tapped(id: string): void {
    if (isHeld(id)) this.people.tapped(id);
    else this.#scan(id).open++;
  }

  attended(id: string, day: number, at: number): void {
    if (isHeld(id)) {
      this.people.attended(id, day, at);
      return;
    }
    const account = this.#scan(id);
    addScan(account.sure, id, { day, at });
    account.open--;
    account.attended++;
    this.#journal.attended(id, day, at);
    this.attendances++;
  }

  held(id: string, scan: HeldScan): void {
    const account = this.#scan(id);
    account.held.set(scan.shown, scan);
    account.open--;
    this.#journal.held(id);
    this.holdings++;
  }

  /** A provisional scan was filed. It is unknown here if it was not acknowledged before. */
  filed(id: string, day: number, at: number): void {
    const { held, sure } = this.#scan(id);
    const found = [...held.values()].find((scan) => scan.at === at);
    if (found === undefined) return;
    held.delete(found.shown);
    addScan(sure, id, { day, at });
    this.#scan(id).attended++;
  }

  /** The record of a day is about to be removed. Nobody taps on that day any more, and no scan waits for it. */
  removing(day: number): void {
    for (const account of this.#scans.values()) {
      const { indicated, attended, held } = account;
      account.forgiven = Math.max(0, indicated - attended - held.size);
    }
    this.#removing.add(day);
    this.#journal.removing(day, this.corrections.hasOn(day));
    this.corrections.removing(day);
    this.people.removing(day);
  }

  removed(day: number): void {
    for (const { sure } of this.#scans.values()) sure.delete(day);
    this.#removing.delete(day);
    this.#removed.add(day);
    this.#journal.removed(day);
    this.corrections.removed(day);
    this.removals++;
  }

  /** @param signal The signal that the person at the reader got; `failed` promises nothing. */
  indicated(signal: string, id: string): void {
    if (signal === 'failed' || isHeld(id)) return;
    this.#scan(id).indicated++;
    this.indications++;
  }

  /** Reads a line of the notes that the service under test writes. */
  take(line: string): void {
    const [verb = '', first = '', second = '', third = '', fourth = '', fifth = ''] = line.split(' ');
    if (this.access.take(verb, first, second)) return;
    if (verb === 'person-erasing') this.erasures.erasingPerson();
    if (this.people.take(verb, first, second, third)) return;
    if (verb === 'put') this.put(first, Number(second));
    else if (verb === 'answered') this.answered(first, Number(second));
    else if (verb === 'tapped') this.tapped(first);
    else if (verb === 'attended') this.attended(first, Number(second), Number(third));
    else if (verb === 'held') {
      this.held(first, { day: Number(second), at: Number(third), shown: Number(fourth) });
    } else if (verb === 'filed') this.filed(first, Number(second), Number(third));
    else if (verb === 'indicated') this.indicated(first, second);
    else if (verb === 'removing') this.removing(Number(first));
    else if (verb === 'removed') this.removed(Number(first));
    else if (verb === 'correcting') {
      const [day, at] = [Number(second), Number(fourth)];
      this.corrections.sent(first, { day, id: third, at, action: fifth });
    } else if (verb === 'corrected') this.corrections.answered(first);
    else if (verb === 'erasing') this.erasures.erasing(first);
    else if (verb === 'erased') this.erasures.erased(first);
    else if (verb === 'told') this.#tell(Number(first), line.slice(`told ${first} `.length));
    else if (verb === 'began') this.#journal.begin(Number(first));
    else if (verb === 'was') {
      const [at, last, count] = [Number(third), Number(fourth), Number(fifth)];
      this.#was(Number(second), { id: first, first: at, last, count });
    }
  }

  /** The problems of the shown contents, for people; empty if all is well. */
  judge(all: Contents): readonly string[] {
    const contents = withoutPeople(all);
    const gone = this.erasures.goneIn(contents);
    return [
      ...this.#judgeNames(contents, gone),
      ...judgeShape(contents),
      ...this.#judgeScans(contents, gone),
      ...this.#journal.judge(contents, gone),
      ...this.corrections.judge(contents, gone),
      ...this.erasures.judge(contents),
      ...(contents.access === undefined ? [] : this.access.judge(contents.access)),
      ...this.people.judge(all),
    ];
  }

  /** Makes contents that were found right the new base: open changes can no longer come. No scan may wait for its day. */
  settle(all: Contents): void {
    this.people.settle(all);
    const contents = withoutPeople(all);
    this.#removed.clear();
    this.#removing.clear();
    this.#journal.settle(contents);
    this.corrections.settle(contents);
    this.erasures.settle(contents);
    if (contents.access !== undefined) this.access.settle(contents.access);
    for (const [id, account] of this.#names) {
      const name = contents.mapping.get(id);
      account.sure = name === undefined ? 0 : (versionOf(id, name) ?? 0);
      account.open.clear();
    }
    for (const account of this.#scans.values()) {
      Object.assign(account, { open: 0, indicated: 0, attended: 0, forgiven: 0 });
      account.sure.clear();
      account.held.clear();
    }
    for (const [day, entries] of contents.days) {
      for (const entry of entries) this.#scan(entry.id).sure.set(day, entry);
    }
  }

  *#judgeNames({ mapping }: Contents, gone: ReadonlySet<string>): Generator<string> {
    for (const [id, name] of mapping) {
      if (gone.has(id)) continue;
      const { sure, open } = this.#name(id);
      const version = versionOf(id, name);
      if (version === undefined) yield `the name of ${id} is none that was sent: ${JSON.stringify(name)}`;
      else if (version < sure) yield `the name of ${id} is version ${version}, but ${sure} was acknowledged`;
      else if (version > sure && !open.has(version)) yield `version ${version} of ${id} was never sent`;
    }
    for (const [id, { sure }] of this.#names) {
      if (sure > 0 && !mapping.has(id) && !gone.has(id))
        yield `the name of ${id} is gone; version ${sure} was acknowledged`;
    }
  }

  *#judgeScans({ days, provisional }: Contents, erased: ReadonlySet<string>): Generator<string> {
    const waiting = new Map<string, ShownProvisional[]>();
    for (const scan of provisional) waiting.set(scan.id, [...(waiting.get(scan.id) ?? []), scan]);
    const due = new Map<string, ReadonlyMap<number, ShownEntry>>();
    for (const [id, account] of this.#scans) due.set(id, dueOf(account, id, waiting.get(id) ?? []));
    for (const day of this.#removed) if (days.has(day)) yield `day ${day} was removed, and is there`;
    const gone = [...this.#removing, ...this.#removed].filter((day) => !days.has(day));
    const added = new Map<string, number>();
    for (const [day, entries] of days) {
      for (const entry of entries) {
        const { id, first, last, count } = entry;
        if (erased.has(id)) continue;
        const sure = due.get(id)?.get(day);
        const more = count - (sure?.count ?? 0);
        added.set(id, (added.get(id) ?? 0) + more);
        if (sure === undefined) continue;
        const isWithin = more > 0 ? first <= sure.first && last >= sure.last : more === 0;
        const isSame = first === sure.first && last === sure.last;
        if (more < 0 || !isWithin || (more === 0 && !isSame)) {
          yield `day ${day} of ${id} is ${describe(entry)}, but ${describe(sure)} was acknowledged`;
        }
      }
    }
    for (const id of new Set([...added.keys(), ...waiting.keys(), ...this.#scans.keys()])) {
      if (erased.has(id)) continue;
      const { held, open, indicated, attended, forgiven } = this.#scan(id);
      for (const [day, entry] of due.get(id) ?? []) {
        if (gone.includes(day)) continue;
        if (days.get(day)?.some((each) => each.id === id) !== true) {
          yield `day ${day} of ${id} is gone; ${describe(entry)} was acknowledged`;
        }
      }
      const listed = waiting.get(id) ?? [];
      if (new Set(listed.map(({ shown }) => shown)).size !== listed.length)
        yield `a scan of ${id} waits twice`;
      const unknown = listed.filter(({ shown }) => !held.has(shown)).length;
      const more = (added.get(id) ?? 0) + unknown;
      const twice = listed.filter(({ isFiling }) => isFiling).length;
      if (more - twice > open)
        yield `${id} has ${more} scans beside those acknowledged, but only ${open} taps were open`;
      const there = attended + held.size + more;
      if (there + forgiven < indicated)
        yield `${indicated} taps of ${id} were indicated, but only ${there} are there`;
    }
  }

  #tell(cursor: number, change: string): void {
    this.#journal.told(cursor, change);
    this.told++;
  }

  #was(day: number, entry: ShownEntry): void {
    this.#scan(entry.id).sure.set(day, entry);
    this.#journal.was(entry.id, day, entry.count);
  }

  #name(id: string): NameAccount {
    const account = this.#names.get(id) ?? { sure: 0, open: new Set() };
    this.#names.set(id, account);
    return account;
  }

  #scan(id: string): ScanAccount {
    const account = this.#scans.get(id) ?? {
      sure: new Map(),
      held: new Map(),
      open: 0,
      indicated: 0,
      attended: 0,
      forgiven: 0,
    };
    this.#scans.set(id, account);
    return account;
  }
}

/** The entries that days must have for a tag: the sure ones, and those of provisional scans that no longer wait. */
function dueOf(
  { sure, held }: ScanAccount,
  id: string,
  waiting: readonly ShownProvisional[],
): ReadonlyMap<number, ShownEntry> {
  const due = new Map(sure);
  const shown = new Set(waiting.map((scan) => scan.shown));
  for (const scan of held.values()) if (!shown.has(scan.shown)) addScan(due, id, scan);
  return due;
}

function addScan(days: Map<number, ShownEntry>, id: string, { day, at }: Pick<HeldScan, 'day' | 'at'>): void {
  const entry = days.get(day) ?? { id, first: at, last: at, count: 0 };
  days.set(day, {
    id,
    first: Math.min(entry.first, at),
    last: Math.max(entry.last, at),
    count: entry.count + 1,
  });
}

/** Checks that do not depend on the requests: nothing may be half written. */
function* judgeShape({ days }: Contents): Generator<string> {
  for (const [day, entries] of days) {
    if (entries.length === 0) yield `day ${day} is listed, but nobody was there`;
    if (new Set(entries.map(({ id }) => id)).size !== entries.length) yield `day ${day} has a tag twice`;
    for (const entry of entries) {
      const { first, last, count } = entry;
      const isWhole = count >= 1 && count <= last - first + 1 && (count === 1) === (first === last);
      if (!isWhole) yield `day ${day} of ${entry.id} is half written: ${describe(entry)}`;
    }
  }
}
