import { setTimeout as pause } from 'node:timers/promises';
import type { TallybookError } from '@tallybook/domain';
import type { Pcsc, PcscReader } from './pcsc-client.js';
import { codeOf } from './pcsc-fault.js';
import { askForUid, parseUidAnswer, takenAway, unreadable, type UidAnswer } from './uid-answer.js';

/** Another program may have the card for a moment. */
const ATTEMPTS = 5;
const PAUSE_MS = 100;

const IN_USE = 'another program may have it for itself; stop that one';
const MUTE = 'it lies the wrong way round, is broken, or is of a kind that the reader does not know';
const ODD = 'the reader contradicts itself; try another reader';

interface CardTaker {
  readonly onUid: (uid: Uint8Array) => void;
  readonly onFault: (fault: TallybookError) => void;
}

/** Reads the UID of each card at a PC/SC reader, once for each presentation. */
export class CardSlot {
  readonly #pcsc: Pcsc;
  readonly #reader: PcscReader;
  readonly #taker: CardTaker;
  /** Number of the current presentation; `undefined` while there is no card. */
  #presentation: number | undefined;
  #isStopped = false;

  constructor(pcsc: Pcsc, reader: PcscReader, taker: CardTaker) {
    this.#pcsc = pcsc;
    this.#reader = reader;
    this.#taker = taker;
    reader.on('change', (status) => {
      // In the upper half of the state, PC/SC counts arrivals and departures of cards. So the replacement of a card by
      // another is noticed.
      const presentation = status.has(pcsc.ReaderStatus.PRESENT) ? status.raw >>> 16 : undefined;
      if (this.#isStopped || presentation === this.#presentation) return;
      this.#presentation = presentation;
      if (presentation === undefined) return;
      if (!status.has(pcsc.ReaderStatus.MUTE)) void this.#read(presentation);
      else taker.onFault(unreadable('no answer', MUTE));
    });
  }

  /** Stops all deliveries. */
  stop(): void {
    this.#isStopped = true;
  }

  async #read(presentation: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#ask();
        if (this.#isStopped) return;
        if ('uid' in answer) this.#taker.onUid(answer.uid);
        else this.#taker.onFault(answer.fault);
        return;
      } catch (cause) {
        if (this.#isStopped) return;
        const isGone = this.#presentation !== presentation;
        if (isGone || attempt === ATTEMPTS) {
          this.#taker.onFault(isGone ? takenAway(cause) : unreadable(codeOf(cause), IN_USE, cause));
          return;
        }
      }
      await pause(PAUSE_MS, undefined, { ref: false });
    }
  }

  async #ask(): Promise<Exclude<UidAnswer, { length: number }>> {
    const { CardDisposition, CardMode } = this.#pcsc;
    const card = await this.#reader.connect(CardMode.SHARED);
    try {
      const answer = parseUidAnswer(await card.transmit(askForUid()));
      if (!('length' in answer)) return answer;
      const again = parseUidAnswer(await card.transmit(askForUid(answer.length)));
      return 'length' in again ? { fault: unreadable('no length', ODD) } : again;
    } finally {
      // Disconnecting from a card that is gone fails.
      await card.disconnect(CardDisposition.LEAVE).catch(() => undefined);
    }
  }
}
