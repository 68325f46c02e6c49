import type { Attendance, FailedScan, TallybookClient } from '@tallybook/client';

export type { Entry, Name, ReaderState, ServiceTime } from '@tallybook/client';

/** What the page asks of the service: a part of the client, so that a test can put a few functions in its place. */
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

/** A tap, and what became of it. */
export type Tap = Attendance | (FailedScan & { readonly outcome: 'failed' });

/** What the event stream tells: a tap, that names or days have changed, or that everything has to be read anew. */
export type ServiceEvent =
  | { readonly kind: 'tap'; readonly tap: Tap }
  | { readonly kind: 'names' | 'day' | 'reset' };

/** How the event stream fares. `connecting` is the first attempt; `waiting` is from a loss until it is open again. */
export type StreamState = 'connecting' | 'open' | 'waiting';
