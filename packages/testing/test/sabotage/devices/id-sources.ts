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
import type { Sabotage } from '../sabotage.js';

/** A stream in which `change` replaces each value by none, one or several. */
function changed<T>(stream: Subscribable<T>, change: (value: T) => readonly T[]): Subscribable<T> {
  return { subscribe: (next) => stream.subscribe((value) => change(value).forEach((each) => next(each))) };
}

/** A fake whose sabotage changes its readings. */
abstract class Misdelivering extends ScriptedIdSource {
  constructor(clock: Clock) {
    super(clock);
    Object.assign(this, {
      readings: changed(this.readings, (reading) => this.misdeliver(reading)),
      faults: changed(this.faults, (fault) => this.misreport(fault)),
    });
  }

  protected misdeliver(reading: Reading): readonly Reading[] {
    return [reading];
  }

  protected misreport(fault: ReaderFault): readonly ReaderFault[] {
    return [fault];
  }
}

/** A fake whose sabotage concerns its subscribers. */
abstract class Miswired extends ScriptedIdSource {
  constructor(clock: Clock) {
    super(clock);
    const { readings } = this;
    const subscribe: Subscribable<Reading>['subscribe'] = (next) => this.wire(readings, next);
    Object.assign(this, { readings: { subscribe } });
  }

  protected abstract wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription;
}

/** A fake that can deliver wrong readings. */
abstract class Overdelivering extends Miswired {
  readonly #clock: Clock;
  readonly #emitter = new Emitter<Reading>();

  constructor(clock: Clock) {
    super(clock);
    this.#clock = clock;
  }

  protected deliver(id: string): void {
    this.#emitter.emit(createReading(this.#clock, this.name, parseTallyId(id)));
  }

  protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
    const subscriptions = [readings.subscribe(next), this.#emitter.subscribe(next)];
    return { unsubscribe: () => subscriptions.forEach((each) => each.unsubscribe()) };
  }
}

export const idSourceSabotages: readonly Sabotage<new (clock: Clock) => ScriptedIdSource>[] = [
  {
    fault: 'delivers ids in lower case',
    Fake: class extends Misdelivering {
      protected override misdeliver(reading: Reading): readonly Reading[] {
        return [{ ...reading, id: reading.id.toLowerCase() as TallyId }];
      }
    },
    fails: ['delivers ids in canonical form and in the order of the tags'],
  },
  {
    fault: 'delivers each reading twice',
    Fake: class extends Misdelivering {
      protected override misdeliver(reading: Reading): readonly Reading[] {
        return [reading, reading];
      }
    },
    fails: ['delivers ids in canonical form and in the order of the tags'],
  },
  {
    fault: 'leaves repeated readings out',
    Fake: class extends ScriptedIdSource {
      #last = '';

      override present(id: string): void {
        if (id !== this.#last) super.present(id);
        this.#last = id;
      }
    },
    fails: ['delivers a tag each time it is presented'],
  },
  {
    fault: 'stamps readings with another name',
    Fake: class extends Misdelivering {
      protected override misdeliver(reading: Reading): readonly Reading[] {
        return [{ ...reading, reader: 'another' }];
      }
    },
    fails: ['stamps readings with its name and the time of both clocks'],
  },
  {
    fault: 'stamps readings with a time of day that is a second late',
    Fake: class extends Misdelivering {
      protected override misdeliver(reading: Reading): readonly Reading[] {
        return [{ ...reading, at: toTimestamp(reading.at + 1) }];
      }
    },
    fails: ['stamps readings with its name and the time of both clocks'],
  },
  {
    fault: 'stamps readings with the wrong clock',
    Fake: class extends Misdelivering {
      protected override misdeliver(reading: Reading): readonly Reading[] {
        return [{ ...reading, monotonicMs: reading.at * 1000 }];
      }
    },
    fails: ['stamps readings with its name and the time of both clocks'],
  },
  {
    fault: 'delivers to the newest subscriber only',
    Fake: class extends Miswired {
      #newest: Subscription | undefined;

      protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
        this.#newest?.unsubscribe();
        return (this.#newest = readings.subscribe(next));
      }
    },
    fails: ['delivers to every subscriber until it unsubscribes'],
  },
  {
    fault: 'delivers to who unsubscribed',
    Fake: class extends Miswired {
      protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
        readings.subscribe(next);
        return { unsubscribe: () => undefined };
      }
    },
    fails: ['delivers to every subscriber until it unsubscribes'],
  },
  {
    fault: 'delivers nothing after the first fault',
    Fake: class extends ScriptedIdSource {
      #isBroken = false;

      constructor(clock: Clock) {
        super(clock);
        this.faults.subscribe(() => (this.#isBroken = true));
      }

      override present(id: string): void {
        if (!this.#isBroken) super.present(id);
      }
    },
    fails: ['reports what is no id as a fault and goes on'],
  },
  {
    fault: 'says nothing about faults',
    Fake: class extends Misdelivering {
      protected override misreport(): readonly ReaderFault[] {
        return [];
      }
    },
    fails: ['reports what is no id as a fault and goes on'],
  },
  {
    fault: 'names another reader in its faults',
    Fake: class extends Misdelivering {
      protected override misreport(fault: ReaderFault): readonly ReaderFault[] {
        return [{ ...fault, reader: 'another' }];
      }
    },
    fails: ['names itself in its faults'],
  },
  {
    fault: 'reports each fault twice',
    Fake: class extends Misdelivering {
      protected override misreport(fault: ReaderFault): readonly ReaderFault[] {
        return [fault, fault];
      }
    },
    fails: ['refuses ids of only 0 and only F digits as faults'],
  },
  {
    fault: 'delivers ids of only 0 and only F digits',
    Fake: class extends Overdelivering {
      override present(id: string): void {
        super.present(id);
        if (/^(0+|F+)$/.test(id)) this.deliver(id);
      }
    },
    fails: ['refuses ids of only 0 and only F digits as faults'],
  },
  {
    fault: 'delivers what it read while it was closed',
    Fake: class extends Overdelivering {
      override present(id: string): void {
        if (this.status === 'closed') this.deliver(id);
        else super.present(id);
      }
    },
    fails: ['delivers nothing while it is closed'],
  },
  {
    fault: 'loses its subscribers when it is closed',
    Fake: class extends Miswired {
      #closings = 0;

      protected override wire(readings: Subscribable<Reading>, next: (value: Reading) => void): Subscription {
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
    fails: ['delivers to the same subscribers after it was closed and opened again'],
  },
  {
    fault: 'says that it is connected before it is open',
    Fake: class extends ScriptedIdSource {
      override get connection(): 'connected' | 'waiting' {
        return this.status === 'closed' ? 'connected' : super.connection;
      }
    },
    fails: ['is connected while it is open and its device is there, else waiting'],
  },
  {
    fault: 'says that it is waiting for ever',
    Fake: class extends ScriptedIdSource {
      override get connection(): 'connected' | 'waiting' {
        return 'waiting';
      }
    },
    fails: ['is connected while it is open and its device is there, else waiting'],
  },
  {
    fault: 'does not notice that its device is lost',
    Fake: class extends ScriptedIdSource {
      override unplug(): void {
        if (this.status !== 'open') super.unplug();
      }
    },
    fails: ['closes while it waits for its device'],
  },
  {
    fault: 'closes when its device is lost',
    Fake: class extends ScriptedIdSource {
      override unplug(): void {
        super.unplug();
        void this.close();
      }
    },
    fails: ['reports a lost device once and waits for it', 'delivers again when its device is back'],
  },
  {
    fault: 'does not notice that its device is back',
    Fake: class extends ScriptedIdSource {
      override plug(): void {
        return;
      }
    },
    fails: ['reports a lost device once and waits for it'],
  },
  {
    fault: 'does not open without its device',
    Fake: class extends ScriptedIdSource {
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
    fails: ['opens without its device and connects when it comes'],
  },
  {
    fault: 'does not close while it waits for its device',
    Fake: class extends ScriptedIdSource {
      override async close(): Promise<void> {
        if (this.status === 'open' && this.connection === 'waiting') throw new Error('busy');
        return super.close();
      }
    },
    fails: ['closes while it waits for its device'],
  },
  {
    fault: 'connects after it was closed',
    Fake: class extends ScriptedIdSource {
      override plug(): void {
        void this.open();
        super.plug();
      }
    },
    fails: ['closes while it waits for its device'],
  },
];
