import type { Clock } from '@tallybook/domain';
import type Koa from 'koa';
import { limitedOption } from '../limits.js';
import { sendProblem } from '../problem.js';
import { clientNetworkOf, type ClientAddressOf } from './client-network.js';
import { Pace } from './pace.js';

export interface RequestLimits {
  /** Reading requests per second and client, 0..100000, default 200, and ten times as many in a burst. 0: no limit. */
  readonly maxReadsPerSecond?: number;
  /** Changing requests per second and client, 0..100000, default 50, and ten times as many in a burst. 0: no limit. */
  readonly maxWritesPerSecond?: number;
  /** Tables and files per minute and client, 0..100000, default 60, all of them at once if needed. 0: no limit. */
  readonly maxExportsPerMinute?: number;
}

/** Name of the option whose limit a client has reached. */
export type ClientLimit = keyof RequestLimits | 'maxStreamsPerAddress';

/** Called for each request over the limit of its client. The client is `undefined` for this machine. */
export type ReportLimited = (limit: ClientLimit, client: string | undefined) => void;

export interface RequestLimitParts {
  /** Paths that read much of the store. */
  readonly costly: ReadonlySet<string>;
  readonly addressOf: ClientAddressOf;
  readonly clock: Clock;
  readonly report: ReportLimited | undefined;
}

/** A client may send the requests of this many seconds at once. */
const BURST_SECONDS = 10;

/**
 * Refuses requests over the limits of a client with 429. A client is an IPv4 address, or a /64 of IPv6. The limits are generous,
 * because a whole club may share one address. Programs on this machine are not counted.
 *
 * @throws {TallybookError} `INVALID_OPTION` if an option is out of range.
 */
export function limitRequests(
  options: RequestLimits,
  { costly, addressOf, clock, report }: RequestLimitParts,
): Koa.Middleware {
  const perSecond = (name: 'maxReadsPerSecond' | 'maxWritesPerSecond'): Pace | undefined => {
    const rate = limitedOption(name, options);
    return rate === 0 ? undefined : new Pace(1_000 / rate, rate * BURST_SECONDS);
  };
  const rate = limitedOption('maxExportsPerMinute', options);
  const paces: Readonly<Record<keyof RequestLimits, Pace | undefined>> = {
    maxReadsPerSecond: perSecond('maxReadsPerSecond'),
    maxWritesPerSecond: perSecond('maxWritesPerSecond'),
    maxExportsPerMinute: rate === 0 ? undefined : new Pace(60_000 / rate, rate),
  };

  return (ctx, next): unknown => {
    const client = clientNetworkOf(addressOf(ctx.req));
    if (client === undefined) return next();
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const limit = !isRead
      ? 'maxWritesPerSecond'
      : costly.has(ctx.path)
        ? 'maxExportsPerMinute'
        : 'maxReadsPerSecond';
    const waitMs = paces[limit]?.take(client, clock.monotonicMs()) ?? 0;
    if (waitMs <= 0) return next();
    report?.(limit, client);
    const seconds = Math.ceil(waitMs / 1_000);
    const detail = `too many requests from this address; try again in ${seconds} s`;
    sendProblem(ctx, { status: 429, detail, headers: { 'Retry-After': String(seconds) } });
    return undefined;
  };
}
