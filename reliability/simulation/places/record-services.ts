import {
  groupOfName,
  isTallybookError,
  PeopleService,
  Timekeeper,
  type AttendanceService,
  type Calendar,
  type Day,
  type MappingStore,
  type PersonId,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import {
  afterErasure,
  type CorrectedDayStore,
  CorrectionService,
  type CorrectionStore,
} from '@tallybook/domain/record';
import { ErasureService } from '@tallybook/domain/personal';
import type { StampSource } from '@tallybook/domain/sync';
import type { Operation } from '../plan.js';
import type { Scheduler } from '../virtual/scheduler.js';
import type { Storage } from './storage.js';
import type { Stores } from './stores.js';
import { BEGIN_SECONDS, trueSeconds, type VirtualClock } from '../virtual/virtual-clock.js';

/** The time of the build, in every world: a clock with an earlier time is wrong. */
const BUILT_AT = BEGIN_SECONDS - 30 * 86_400;

export function newTimekeeper(clock: VirtualClock): Timekeeper {
  return new Timekeeper(clock, { builtAt: BUILT_AT });
}

export function stampsBy(timekeeper: Timekeeper): StampSource {
  return {
    now: () => (timekeeper.trust().isTrusted ? timekeeper.now() * 1000 : undefined),
  };
}

interface RecordParts {
  readonly stores: Stores;
  readonly storage: Storage;
  readonly timekeeper: Timekeeper;
  readonly calendar: Calendar;
  readonly attendance?: AttendanceService;
  readonly correctedDays: CorrectedDayStore;
  readonly needsApproval: boolean;
  readonly scheduler: Scheduler;
  /** Used instead of those of the stores. */
  readonly mapping?: MappingStore;
  readonly corrections?: CorrectionStore;
}

/** Operations of people at any place: at a station, and at a server of the centre. */
export class RecordServices {
  readonly names: MappingStore;
  readonly corrections: CorrectionService;
  readonly erasures: ErasureService;
  readonly people: PeopleService;
  readonly #name: string;
  readonly #parts: RecordParts;

  constructor(name: string, parts: RecordParts) {
    const { stores, timekeeper, calendar, attendance, correctedDays, needsApproval } = parts;
    const { erasures } = stores;
    const { mapping = stores.mapping, corrections = stores.corrections } = parts;
    this.#name = name;
    this.#parts = parts;
    this.names = mapping;
    this.corrections = new CorrectionService(
      { days: correctedDays, corrections, calendar, timekeeper, erasures },
      { needsApproval },
    );
    this.people = new PeopleService({ people: stores.people, timekeeper, calendar });
    this.erasures = new ErasureService({
      erasures,
      people: stores.people,
      timekeeper,
      ...(attendance && { attendance }),
    });
  }

  /** Performs an operation of a person. Resolves with its result. */
  async perform(operation: Operation, id: TallyId): Promise<string> {
    try {
      return await this.#perform(operation, id);
    } catch (error) {
      // Nothing was acknowledged.
      if (isTallybookError(error)) return error.code;
      throw error;
    }
  }

  async #perform(operation: Operation, id: TallyId): Promise<string> {
    const { names, corrections, erasures, people } = this;
    const { timekeeper, calendar, correctedDays, scheduler, storage, stores } = this.#parts;
    const author = `desk of ${this.#name}`;
    switch (operation.kind) {
      case 'name': {
        const { name } = operation;
        if (name === undefined) return (await names.remove(id)) ? 'removed' : 'had none';
        return names.put(id, { first: name, last: '' });
      }
      case 'add': {
        const at = Math.max(0, timekeeper.now() - operation.backSeconds) as Timestamp;
        const day = calendar.dayOf(at);
        await corrections.correct([{ action: 'add', day, id, at, reason: 'forgotten' }], author);
        return `added ${at}`;
      }
      case 'void': {
        const [day, at] = this.#pickScan(id, operation.pick) ?? [];
        if (day === undefined || at === undefined) return 'nothing to void';
        await corrections.correct([{ action: 'void', day, id, at, reason: 'a mistake' }], author);
        return `voided ${at}`;
      }
      case 'decide': {
        const pending = [...storage.corrections.byNumber.values()].filter(({ state }) => state === 'pending');
        const chosen = pending[operation.pick % Math.max(1, pending.length)];
        if (chosen === undefined) return 'nothing to decide';
        const { approve } = operation;
        const { state } = await corrections.decide(chosen.number, { approve, by: `chief of ${this.#name}` });
        return state;
      }
      case 'erase': {
        const { until } = await erasures.erase([id], { isDryRun: false, actor: author });
        return `until ${until}`;
      }
      case 'import': {
        const last = Math.max(1, timekeeper.now() - operation.backSeconds) as Timestamp;
        const [first, between] = [last - 2, last - 1] as [Timestamp, Timestamp];
        const day = calendar.dayOf(last);
        if (first < 0 || calendar.dayOf(first) !== day) return 'not in one day';
        // As in the import of a backup. Of one scan only the number is known, so a station sends this as an entry.
        const entry = { id, first, last, count: 4, scans: [between] };
        const left = afterErasure(entry, (at) => stores.erasures.isRefused(id, at));
        if (left === undefined) return 'erased';
        await stores.days.merge(day, [left]);
        return `imported ${last}`;
      }
      case 'remove-day': {
        const at = Math.max(0, timekeeper.now() - operation.backSeconds) as Timestamp;
        return (await correctedDays.remove(calendar.dayOf(at))) ? 'removed' : 'had none';
      }
      case 'set-time': {
        timekeeper.set(Math.floor(trueSeconds(scheduler)) as Timestamp, { isConfirmed: true });
        return 'set';
      }
      case 'person': {
        const name = { first: operation.name, last: '' };
        const person = this.#pickPerson(operation.pick);
        if (person === undefined) return `added ${await people.add({ name })}`;
        await people.correct(person, { name });
        return `corrected ${person}`;
      }
      case 'groups': {
        const person = this.#pickPerson(operation.pick, true);
        if (person === undefined) return 'nobody to put into groups';
        const { groups, isGuest } = operation;
        const guest = isGuest ? { since: calendar.dayOf(timekeeper.now()), host: author } : null;
        await people.correct(person, { groups, guest });
        return `groups of ${person}`;
      }
      case 'merge-groups':
        return people.groups.merge(groupOfName(operation.group), groupOfName(operation.into));
      case 'erase-person': {
        const person = this.#pickPerson(operation.pick, true);
        if (person === undefined) return 'nobody to erase';
        await erasures.erase([], { persons: [person], isDryRun: false, actor: author });
        return `erased ${person}`;
      }
      case 'act': {
        const { act } = operation;
        const person = this.#pickPerson(operation.pick, true);
        if (act === 'undo' || act === 'lost' || act === 'returned' || act === 'found')
          await people.act(id, { act });
        else if (person === undefined) return 'nobody to give it to';
        else await people.act(id, { act, person });
        return `${act} done`;
      }
      case 'tap':
        return 'no reader here';
    }
  }

  /** @param isAny Whether there is always one, unless there is nobody. */
  #pickPerson(pick: number, isAny = false): PersonId | undefined {
    const all = [...this.#parts.storage.people.persons.keys()].sort();
    return all[isAny ? pick % Math.max(1, all.length) : pick];
  }

  #pickScan(id: TallyId, pick: number): readonly [Day, Timestamp] | undefined {
    const all = [...this.#parts.storage.days].flatMap(([day, tags]) =>
      [...(tags.get(id)?.scans.keys() ?? [])].map((at) => [day, at] as const),
    );
    return all[pick % Math.max(1, all.length)];
  }
}
