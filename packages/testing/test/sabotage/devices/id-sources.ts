import {
  createReading,
  Emitter,
  parseTallyId,
  toTimestamp,
  type Clock,
  type ReaderFault,
  type Reading,
  type Subscribable,
  type Subscription,
  type TallyId,
} from '@tallybook/domain';
import { ScriptedIdSource } from '@tallybook/testing';
import { faults } from '../sabotage.js';

/** A stream in which `change` replaces each value by none, one or several. */
function changed<T>(stream: Subscribable<T>, change: (value: T) => readonly T[]): Subscribable<T> {
  return { subscribe: (next) => stream.subscribe((value) => change(value).forEach((each) => next(each))) };
}

/** A fake whose sabotage changes its readings, its faults or its subscribers, or delivers more. */
class Sabotaged extends ScriptedIdSource {
  readonly #clock: Clock;
  readonly #more = new Emitter<Reading>();

  constructor(clock: Clock) {
    super(clock);
    this.#clock = clock;
    const { readings, faults } = this;
    const subscribe: Subscribable<Reading>['subscribe'] = (next) =>
      this.wire(
        changed(readings, (reading) => this.misdeliver(reading)),
        next,
      );
    Object.assign(this, {
      readings: { subscribe },
      faults: changed(faults, (fault) => this.misreport(fault)),
    });
  }

  misdeliver(reading: Reading): readonly Reading[] {
    return [reading];
  }

  misreport(fault: ReaderFault): readonly ReaderFault[] {
    return [fault];
  }

  wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
    const subscriptions = [readings.subscribe(next), this.#more.subscribe(next)];
    return { unsubscribe: () => subscriptions.forEach((each) => each.unsubscribe()) };
  }

  deliver(id: string): void {
    this.#more.emit(createReading(this.#clock, this.name, parseTallyId(id)));
  }
}

export const idSourceSabotages = faults(Sabotaged, {
  'delivers ids in lower case': {
    fails: ['delivers ids in canonical form and in the order of the tags'],
    misdeliver: () => (reading) => [{ ...reading, id: reading.id.toLowerCase() as TallyId }],
  },
  'delivers each reading twice': {
    fails: ['delivers ids in canonical form and in the order of the tags'],
    misdeliver: () => (reading) => [reading, reading],
  },
  'leaves repeated readings out': {
    fails: ['delivers a tag each time it is presented'],
    present: (sound) => {
      let last = '';
      return (id) => {
        if (id !== last) sound(id);
        last = id;
      };
    },
  },
  'stamps readings with another name': {
    fails: ['stamps readings with its name and the time of both clocks'],
    misdeliver: () => (reading) => [{ ...reading, reader: 'another' }],
  },
  'stamps readings with a time of day that is a second late': {
    fails: ['stamps readings with its name and the time of both clocks'],
    misdeliver: () => (reading) => [{ ...reading, at: toTimestamp(reading.at + 1) }],
  },
  'stamps readings with the wrong clock': {
    fails: ['stamps readings with its name and the time of both clocks'],
    misdeliver: () => (reading) => [{ ...reading, monotonicMs: reading.at * 1000 }],
  },
  'delivers to the newest subscriber only': {
    fails: ['delivers to every subscriber until it unsubscribes'],
    wire: () => {
      let newest: Subscription | undefined;
      return (readings, next) => {
        newest?.unsubscribe();
        return (newest = readings.subscribe(next));
      };
    },
  },
  'delivers to who unsubscribed': {
    fails: ['delivers to every subscriber until it unsubscribes'],
    wire: () => (readings, next) => {
      readings.subscribe(next);
      return { unsubscribe: () => undefined };
    },
  },
  'delivers nothing after the first fault': class extends Sabotaged {
    static readonly fails = ['reports what is not an id as a fault and continues'];
    #isBroken = false;

    constructor(clock: Clock) {
      super(clock);
      this.faults.subscribe(() => (this.#isBroken = true));
    }

    override present(id: string): void {
      if (!this.#isBroken) super.present(id);
    }
  },
  'says nothing about faults': {
    fails: ['reports what is not an id as a fault and continues'],
    misreport: () => () => [],
  },
  'names another reader in its faults': {
    fails: ['names itself in its faults'],
    misreport: () => (fault) => [{ ...fault, reader: 'another' }],
  },
  'reports each fault twice': {
    fails: ['refuses ids of only 0 and only F digits as faults'],
    misreport: () => (fault) => [fault, fault],
  },
  'delivers ids of only 0 and only F digits': {
    fails: ['refuses ids of only 0 and only F digits as faults'],
    present: (sound, fake) => (id) => {
      sound(id);
      if (/^(0+|F+)$/.test(id)) fake.deliver(id);
    },
  },
  'delivers what it read while it was closed': {
    fails: ['delivers nothing while it is closed'],
    present: (sound, fake) => (id) => {
      if (fake.status === 'closed') fake.deliver(id);
      else sound(id);
    },
  },
  'loses its subscribers when it is closed': class extends Sabotaged {
    static readonly fails = ['delivers to the same subscribers after it was closed and opened again'];
    #closings = 0;

    override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
      const closings = this.#closings;
      return readings.subscribe((reading) => {
        if (closings === this.#closings) next(reading);
      });
    }

    protected override onClose(): Promise<void> {
      this.#closings++;
      return super.onClose();
    }
  },
  'says that it is connected before it is open': class extends Sabotaged {
    static readonly fails = ['is connected while it is open and its device is there, else waiting'];
    override get connection(): 'connected' | 'waiting' {
      return this.status === 'closed' ? 'connected' : super.connection;
    }
  },
  'says that it is waiting for ever': class extends Sabotaged {
    static readonly fails = ['is connected while it is open and its device is there, else waiting'];
    override get connection(): 'connected' | 'waiting' {
      return 'waiting';
    }
  },
  'does not notice that its device is lost': {
    fails: ['closes while it waits for its device'],
    unplug: (sound, fake) => () => {
      if (fake.status !== 'open') sound();
    },
  },
  'closes when its device is lost': {
    fails: ['reports a lost device once and waits for it', 'delivers again when its device is back'],
    unplug: (sound, fake) => () => {
      sound();
      void fake.close();
    },
  },
  'does not notice that its device is back': {
    fails: ['reports a lost device once and waits for it'],
    plug: () => () => undefined,
  },
  'does not open without its device': class extends Sabotaged {
    static readonly fails = ['opens without its device and connects when it comes'];
    #isThere = true;

    override unplug(): void {
      this.#isThere = false;
      super.unplug();
    }

    override async open(): Promise<void> {
      if (!this.#isThere) throw new Error('no such device');
      return super.open();
    }
  },
  'does not close while it waits for its device': {
    fails: ['closes while it waits for its device'],
    close: (sound, fake) => async () => {
      if (fake.status === 'open' && fake.connection === 'waiting') throw new Error('busy');
      return sound();
    },
  },
  'connects after it was closed': {
    fails: ['closes while it waits for its device'],
    plug: (sound, fake) => () => {
      void fake.open();
      sound();
    },
  },
});
