import { realpath } from 'node:fs/promises';
import { DeviceUrl, type DeviceRegistry, type ReaderDependencies } from '@tallybook/devices';
import {
  isTallybookError,
  TallybookError,
  type AttendanceService,
  type Clock,
  type IdSource,
} from '@tallybook/domain';
import type { SettingsSource } from '@tallybook/http-koa';
import { tryReader, type TriedReader } from '../doctor/try-reader.js';

type Trial = Awaited<ReturnType<SettingsSource['tryReader']>>;

/** Longest wait for a tag, in milliseconds. */
const TRIAL_MS = 20_000;

export interface ReaderTrialParts {
  readonly registry: DeviceRegistry<IdSource, ReaderDependencies>;
  /** The URLs of the readers of the service. */
  readonly urls: readonly string[];
  /** The readers of the service, in the order of their URLs. */
  readonly sources: readonly TriedReader[];
  readonly attendance: Pick<AttendanceService, 'divertNext'>;
  readonly clock: Clock;
}

/** Tries one reader at a time: opens it, or if the service reads from it, takes the next tap of the service. */
export class ReaderTrials {
  readonly #parts: ReaderTrialParts;
  #isTrying = false;

  constructor(parts: ReaderTrialParts) {
    this.#parts = parts;
  }

  /**
   * Rejects with `INVALID_SETTING` if the URL is not one of a reader that can be tried, and with `READER_BUSY` while another one is
   * tried.
   */
  async run(url: string, signal: AbortSignal): Promise<Trial> {
    if (this.#isTrying)
      throw new TallybookError('READER_BUSY', 'a reader is being tried already; wait until that has ended');
    this.#isTrying = true;
    try {
      return await this.#try(await this.#find(url), signal);
    } finally {
      this.#isTrying = false;
    }
  }

  /** Whether the service reads from the device of a URL. */
  async isInUse(url: string): Promise<boolean> {
    return (await this.#ownOf(url)) !== undefined;
  }

  async #try(reader: TriedReader, signal: AbortSignal): Promise<Trial> {
    const time = new AbortController();
    const ending = this.#parts.clock.schedule(TRIAL_MS, () => time.abort());
    try {
      const ends = AbortSignal.any([signal, time.signal]);
      const { raw, id, faults } = await tryReader(reader, () => undefined, ends);
      return { raw, id, faults: faults.map(({ code, message }) => ({ code, message })) };
    } catch (error) {
      // Its package or program is not installed.
      if (!isTallybookError(error)) throw error;
      return { faults: [{ code: error.code, message: error.message }] };
    } finally {
      ending.unsubscribe();
    }
  }

  /** The reader of a URL, closed. */
  async #find(url: string): Promise<TriedReader> {
    const { registry, clock } = this.#parts;
    try {
      const made: TriedReader = registry.create(url, { clock, isTrial: true });
      const own = await this.#ownOf(url);
      if (own !== undefined) return this.#diverted(own);
      if (made.kind !== 'stdin') return made;
    } catch (error) {
      if (!isTallybookError(error, 'INVALID_OPTION')) throw error;
      throw new TallybookError('INVALID_SETTING', `reader: ${error.message}`, { cause: error });
    }
    throw new TallybookError(
      'INVALID_SETTING',
      'reader: the standard input belongs to the service; choose another reader',
    );
  }

  /** The reader of the service at the device of a URL. */
  async #ownOf(url: string): Promise<TriedReader | undefined> {
    const device = await deviceOf(url);
    const devices = await Promise.all(this.#parts.urls.map(deviceOf));
    return this.#parts.sources[devices.indexOf(device)];
  }

  /** An open reader of the service, as one to try: its next tap is not recorded. */
  #diverted(own: TriedReader): TriedReader {
    const { name, raws, faults, connections } = own;
    const nothing = (): Promise<void> => Promise.resolve();
    return {
      ...{ name, faults, connections, connection: own.connection, status: own.status },
      ...(raws !== undefined && { raws }),
      readings: { subscribe: (next) => this.#parts.attendance.divertNext(own, next) },
      ...{ open: nothing, close: nothing, [Symbol.asyncDispose]: nothing },
    };
  }
}

/** A text that is the same for all URLs of a device. */
async function deviceOf(text: string): Promise<string> {
  const url = new DeviceUrl(text);
  const { scheme, path, address } = url;
  // On one chip there may be several readers.
  const pins = scheme === 'wiegand' ? [url.text('d0'), url.text('d1')] : [];
  const file = path.startsWith('/') ? await realpath(path).catch(() => path) : path;
  return JSON.stringify([scheme, address, file.replace(/^\/dev\//, ''), ...pins]);
}
