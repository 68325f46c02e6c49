import type { Attendance, FailedScan, TallybookClient } from '@tallybook/client';

export type { Entry, Name, ReaderState, ServiceTime } from '@tallybook/client';

/** The part of the client that the page uses, so that a test can replace it by a few functions. */
export type Service = Pick<
  TallybookClient,
  | 'assignName'
  | 'importNames'
  | 'listReaders'
  | 'listUnnamed'
  | 'readMapping'
  | 'readTime'
  | 'readToday'
  | 'removeName'
>;

/** A tap with its outcome. */
export type Tap = Attendance | (FailedScan & { readonly outcome: 'failed' });

/** An event of the stream: a tap; names or days have changed; or all data has to be read again. */
export type ServiceEvent =
  | { readonly kind: 'tap'; readonly tap: Tap }
  | { readonly kind: 'names' | 'day' | 'reset' };

/**
 * State of the event stream. `connecting`: the first attempt; `waiting`: from a loss until the stream is open again.
 */
export type StreamState = 'connecting' | 'open' | 'waiting';
