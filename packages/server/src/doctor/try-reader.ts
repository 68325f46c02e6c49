import type { IdSource, Reading, TallybookError } from '@tallybook/domain';
import { SerialIdSource, type ObservableIdSource } from '@tallybook/readers';

/** A reader; the own readers of the program also show their raw input. */
export type TriedReader = IdSource & Partial<Pick<ObservableIdSource, 'raws'>>;

/** Result of trying a reader. */
export interface Trial {
  /**
   * The last raw input of the reader, before an id was made of it; `undefined` if there was none, or if it is not
   * shown.
   */
  readonly raw: string | undefined;
  /** The id as it would be recorded; `undefined` if no tag was read. */
  readonly id: string | undefined;
  /** The latest bytes of a serial line; empty for any other reader. */
  readonly received: Uint8Array;
  /** Number of all received bytes. */
  readonly receivedCount: number;
  /** The first faults, each message once. */
  readonly faults: readonly TallybookError[];
  /** Whether the device was ever there. */
  readonly wasConnected: boolean;
}

/** An event while a reader is tried. */
export type TrialEvent =
  | { readonly kind: 'connected' }
  | { readonly kind: 'fault'; readonly error: TallybookError }
  | { readonly kind: 'raw'; readonly raw: string };

/** Largest number of reported faults and inputs: a line with noise makes new ones many times a second. */
const MOST_TOLD = 20;
/** Number of kept bytes: several frames, or lines. */
const KEPT_BYTES = 512;

/**
 * Opens a reader, waits for one tag, and closes it.
 *
 * Rejects with the errors of `open()` of the reader.
 *
 * @param tell Called at once when the reader connects, and for each fault and each input. Equal ones are reported once, and
 * at most {@link MOST_TOLD} in all.
 * @param signal Ends the wait.
 */
export async function tryReader(
  reader: TriedReader,
  tell: (event: TrialEvent) => void,
  signal: AbortSignal,
): Promise<Trial> {
  const faults: TallybookError[] = [];
  const told = new Set<string>();
  const isNew = (text: string): boolean => {
    const before = told.size;
    return before < MOST_TOLD && told.add(text).size > before;
  };
  let raw: string | undefined;
  let received = Buffer.alloc(0);
  let receivedCount = 0;
  let wasConnected = false;
  let finish: (reading: Reading | undefined) => void = () => undefined;
  const finished = new Promise<Reading | undefined>((resolve) => (finish = resolve));
  const stop = (): void => finish(undefined);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const subscriptions = [
    ...(reader.raws === undefined
      ? []
      : [
          reader.raws.subscribe((text) => {
            raw = text;
            if (isNew(`raw ${text}`)) tell({ kind: 'raw', raw: text });
          }),
        ]),
    reader.readings.subscribe((reading) => finish(reading)),
    ...(reader instanceof SerialIdSource
      ? [
          reader.received.subscribe((bytes) => {
            receivedCount += bytes.length;
            received = Buffer.concat([received, bytes]).subarray(-KEPT_BYTES);
          }),
        ]
      : []),
    reader.connections.subscribe((connection) => {
      if (connection !== 'connected') return;
      wasConnected = true;
      tell({ kind: 'connected' });
    }),
    reader.faults.subscribe(({ error }) => {
      if (!isNew(`fault ${error.message}`)) return;
      faults.push(error);
      tell({ kind: 'fault', error });
    }),
  ];
  try {
    await reader.open();
    const reading = await finished;
    return { raw, id: reading?.id, received, receivedCount, faults, wasConnected };
  } finally {
    await reader.close();
    signal.removeEventListener('abort', stop);
    for (const subscription of subscriptions) subscription.unsubscribe();
  }
}
