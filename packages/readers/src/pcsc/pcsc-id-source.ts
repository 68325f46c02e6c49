import { setTimeout as pause } from 'node:timers/promises';
import { deferred, invalidOption, type DeviceSession } from '@tallybook/devices';
import { quote, type TallybookError, type Clock } from '@tallybook/domain';
import { ReconnectingIdSource, type ReconnectingOptions } from '../reconnecting-id-source.js';
import { CardSlot } from './card-slot.js';
import { loadPcsc, startClient, prepareStop, type Pcsc, type PcscReader } from './pcsc-client.js';
import { createLossFault, createPcscFault, type PcscReason } from './pcsc-fault.js';

/** Longest wait for the list of readers from pcscd. It comes at once if there is a reader. */
const FIND_MS = 500;

export interface PcscOptions extends ReconnectingOptions {
  /**
   * Part of the name of a reader, in upper or lower case, such as `ACR122`. Default: empty, so all readers are used.
   */
  readonly match?: string | undefined;
  /** Default: `pcsc:` and `match`. */
  readonly name?: string | undefined;
  /** Loads the access to PC/SC. Default: the package `pcsc-mini`. */
  readonly load?: (() => Promise<Pcsc>) | undefined;
}

/**
 * The PC/SC readers of this machine, or those with a certain name: NFC readers for the desk, such as the ACR122U. A
 * card gives one reading for each presentation, however long it lies on the reader.
 *
 * ```
 * Reconnection -> Client -> Reader -> CardSlot -> UID -> IdFormat -> readings
 *       |            '-> pcscd ended   \---------------\-----------> faults
 *       '-> no pcscd, no reader -----> faults, each reason once until there is a reader
 * ```
 *
 * It is connected while pcscd runs and at least one reader is there. `open()` resolves after the first attempt,
 * successful or not, and rejects with `INVALID_OPTION` only if the package `pcsc-mini` cannot be loaded.
 */
export class PcscIdSource extends ReconnectingIdSource {
  override readonly kind = 'pcsc';
  readonly #match: string;
  readonly #load: () => Promise<Pcsc>;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is not as described. */
  constructor(options: PcscOptions, clock: Clock) {
    const { match = '', load = loadPcsc } = options;
    if (!/^\P{Cc}*$/u.test(match)) {
      throw invalidOption(
        `a PC/SC reader is named by a part of its name, such as ACR122; got ${quote(match)}`,
        'path',
      );
    }
    super(options.name ?? `pcsc:${match}`, clock, options);
    this.#match = match;
    this.#load = load;
  }

  /** One attempt, with a new client: a client cannot connect again after it lost pcscd. */
  protected override async connect(): Promise<DeviceSession> {
    const pcsc = await this.#load();
    const client = new pcsc.Client();
    const stop = prepareStop(client);
    const slots = new Map<string, CardSlot>();
    const found = deferred();
    const lost = new Promise<TallybookError>((resolve) => {
      client.on('error', (cause) => {
        resolve(createLossFault(this.#match, cause));
      });
      client.on('reader', (reader) => {
        const name = reader.name();
        if (!name.toLowerCase().includes(this.#match.toLowerCase())) return;
        slots.set(name, this.#listen(pcsc, reader));
        found.resolve();
        reader.on('disconnect', () => {
          slots.get(name)?.stop();
          if (!slots.delete(name)) return;
          if (slots.size === 0) resolve(this.#fault('lost'));
          else this.report(createPcscFault(name, 'lost'));
        });
      });
    });
    startClient(client, this.#match);
    const end = async (): Promise<void> => {
      for (const slot of slots.values()) slot.stop();
      slots.clear();
      await stop();
    };
    const fault = await Promise.race([
      lost,
      found.promise,
      pause(FIND_MS, this.#fault('missing'), { ref: false }),
    ]);
    if (fault === undefined) return { lost, end };
    await end();
    throw fault;
  }

  #fault(reason: PcscReason): TallybookError {
    return createPcscFault(this.#match, reason);
  }

  #listen(pcsc: Pcsc, reader: PcscReader): CardSlot {
    return new CardSlot(pcsc, reader, {
      onUid: (uid) => {
        this.deliverUid(uid);
      },
      onFault: (fault) => {
        this.report(fault);
      },
    });
  }
}
