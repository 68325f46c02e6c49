import { EventEmitter } from 'node:events';
import type { Pcsc } from '../../src/pcsc/pcsc-client.js';

/** States of a reader with their numbers in PC/SC. The package itself cannot be loaded without the library of pcscd. */
export const STATES = { EMPTY: 0x10, PRESENT: 0x20, IN_USE: 0x100, MUTE: 0x200 };

/** Ways to release a card, with their numbers in PC/SC. */
export const DISPOSITIONS = { LEAVE: 0, RESET: 1, UNPOWER: 2, EJECT: 3 };

/** A PC/SC reader that a test can unplug, unlike a virtual one, and whose cards fail when the test says so. */
export class ScriptedReader extends EventEmitter {
  readonly #name: string;
  /** Results of the next connections to a card, in turn: errors, then answers. */
  readonly script: (Error | string)[] = [];
  /** How each connected card was released. */
  readonly released: unknown[] = [];
  #cards = 0;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  name(): string {
    return this.#name;
  }

  connect(): Promise<unknown> {
    const next = this.script.shift();
    if (typeof next !== 'string') return Promise.reject(next ?? pcscError('NoSmartCard'));
    return Promise.resolve({
      transmit: () => Promise.resolve(Buffer.from(next, 'hex')),
      disconnect: (how: unknown) => {
        this.released.push(how);
        return Promise.reject(pcscError('RemovedCard'));
      },
    });
  }

  /** Reports a state. Arrivals and removals of cards are counted. */
  change(flags: number, isCounted = true): void {
    if (isCounted) this.#cards++;
    const raw = this.#cards * 0x10000 + flags;
    this.emit('change', { raw, has: (state: number) => (raw & state) === state }, new Uint8Array());
  }
}

/** A fake of `pcsc-mini`. */
export class ScriptedPcsc {
  readonly clients: EventEmitter[] = [];
  /** Number of clients that have stopped. */
  stopped = 0;
  /** The readers, or the error, that each new client finds, in turn. */
  readonly #readers: readonly (readonly ScriptedReader[] | Error)[];

  constructor(...readers: readonly (readonly ScriptedReader[] | Error)[]) {
    this.#readers = readers;
  }

  readonly load = (): Promise<Pcsc> => {
    const { clients } = this;
    const noteStop = (): void => void this.stopped++;
    const readers = this.#readers;
    class ScriptedClient extends EventEmitter {
      #own: readonly ScriptedReader[] = [];

      constructor() {
        super();
        clients.push(this);
      }

      start(): void {
        const own = readers[Math.min(clients.length, readers.length) - 1] ?? [];
        if (own instanceof Error) throw own;
        this.#own = own;
        for (const reader of own) this.emit('reader', reader);
      }

      stop(): void {
        noteStop();
        for (const reader of this.#own) reader.emit('disconnect');
      }

      reader(name: string): ScriptedReader | undefined {
        return this.#own.find((reader) => reader.name() === name);
      }
    }
    const CardMode = { SHARED: 2 };
    const CardDisposition = DISPOSITIONS;
    return Promise.resolve({
      Client: ScriptedClient,
      CardDisposition,
      CardMode,
      ReaderStatus: STATES,
    } as unknown as Pcsc);
  };
}

export function pcscError(code: string): Error {
  return Object.assign(new Error(`[ ${code} ]`), { code });
}
