import { setTimeout as pause } from 'node:timers/promises';
import { loadOptional } from '@tallybook/devices';
import type { TallybookError } from '@tallybook/domain';
import { codeOf, createServiceFault, createLossFault } from './pcsc-fault.js';

/**
 * The used part of `pcsc-mini`, in types of our own: this package must compile even where `pcsc-mini` is not installed.
 */
export interface Pcsc {
  readonly Client: new () => PcscClient;
  readonly CardMode: { readonly SHARED: number };
  readonly CardDisposition: { readonly LEAVE: number };
  readonly ReaderStatus: { readonly PRESENT: number; readonly MUTE: number };
}

export interface PcscClient {
  /** Throws if pcscd cannot be reached. */
  start(): unknown;
  /** Throws if pcscd is gone. */
  stop(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'reader', listener: (reader: PcscReader) => void): unknown;
  removeAllListeners(): unknown;
}

export interface PcscReader {
  name(): string;
  on(event: 'change', listener: (status: PcscStatus) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  connect(mode: number): Promise<PcscCard>;
}

/** The state of a reader: flags, and in the upper half the number of arrivals and departures of cards. */
interface PcscStatus {
  readonly raw: number;
  has(...flags: readonly number[]): boolean;
}

interface PcscCard {
  transmit(command: Uint8Array): Promise<Uint8Array>;
  disconnect(disposition: number): Promise<unknown>;
}

const WHAT = 'a PC/SC reader, besides pcscd of the system ("sudo apt install pcscd"),';

/**
 * Loads `pcsc-mini` and its native part. Rejects with `INVALID_OPTION` if one of them, or the library of pcscd, is
 * missing.
 */
export function loadPcsc(load: () => Promise<Pcsc> = () => import('pcsc-mini')): Promise<Pcsc> {
  return loadOptional(WHAT, 'pcsc-mini@0.1', load);
}

/**
 * Connects a client with pcscd.
 *
 * @throws {TallybookError} `READER_DISCONNECTED` if pcscd does not run, or refuses this user.
 */
export function startClient(client: PcscClient, match: string): void {
  try {
    startInsistently(client);
  } catch (cause) {
    throw createServiceFault(match, cause);
  }
}

/**
 * The library gives the same error if pcscd refuses and if pcscd ended meanwhile. In the second case, the second
 * attempt gives another error.
 */
function startInsistently(client: PcscClient): void {
  try {
    client.start();
  } catch (error) {
    if (codeOf(error) !== 'SecurityViolation') throw error;
    client.start();
  }
}

/**
 * Clients that lost pcscd and cannot be stopped any more. They are kept, because `pcsc-mini` 0.1.3 throws when such a
 * client is collected as garbage, and nobody can catch that error. Each crash of pcscd adds one.
 */
const lostClients = new Set<PcscClient>();

/** Shortest time from the latest event of a client to its stop, in milliseconds. */
const SETTLED_MS = 100;

/**
 * Watches the events of a client that is not started yet. Returns the function that stops the client, {@link
 * SETTLED_MS} after its latest event at the earliest. While it stops, `pcsc-mini` blocks this process until its thread
 * ends. A thread that does not yet wait for the next event would notice the stop only after a minute.
 */
export function prepareStop(client: PcscClient): () => Promise<void> {
  let lastEventMs = performance.now();
  const takeNote = (): void => {
    lastEventMs = performance.now();
  };
  client.on('reader', (reader) => {
    takeNote();
    reader.on('change', takeNote);
    reader.on('disconnect', takeNote);
  });
  return async () => {
    const restMs = (): number => lastEventMs + SETTLED_MS - performance.now();
    while (restMs() > 0) await pause(restMs());
    stop(client);
  };
}

function stop(client: PcscClient): void {
  try {
    client.stop();
  } catch {
    client.removeAllListeners();
    lostClients.add(client);
  }
}

/** Longest wait for the list of readers from pcscd. It comes at once if there is a reader. */
const FIND_MS = 500;

/**
 * The names of the connected PC/SC readers.
 *
 * Rejects with `INVALID_OPTION` if the package `pcsc-mini` cannot be loaded, and with `READER_DISCONNECTED` if pcscd
 * cannot be reached.
 */
export async function listPcscReaders(load: () => Promise<Pcsc> = loadPcsc): Promise<readonly string[]> {
  const { Client } = await load();
  const client = new Client();
  const stop = prepareStop(client);
  const names = new Set<string>();
  client.on('reader', (reader) => names.add(reader.name()));
  const failed = new Promise<TallybookError>((resolve) => {
    client.on('error', (cause) => {
      resolve(createLossFault('', cause));
    });
  });
  startClient(client, '');
  const fault = await Promise.race([failed, pause(FIND_MS)]);
  await stop();
  if (fault !== undefined) throw fault;
  return [...names];
}
