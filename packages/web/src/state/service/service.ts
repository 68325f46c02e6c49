import type { Attendance, FailedScan, TallybookClient } from '@tallybook/client';

export type { Entry, Name, ReaderState, ServiceTime } from '@tallybook/client';

/** The part of the client that the page uses, so that a test can put a few functions in its place. */
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

/** An event of the stream: a tap; names or days have changed; or everything has to be read anew. */
export type ServiceEvent =
  | { readonly kind: 'tap'; readonly tap: Tap }
  | { readonly kind: 'names' | 'day' | 'reset' };

/** State of the event stream. `connecting` is the first attempt; `waiting` is from a loss until it is open again. */
export type StreamState = 'connecting' | 'open' | 'waiting';
