import { quote, type AuditNotes, type Timestamp } from '@tallybook/domain';
import type { RefusedItem } from '@tallybook/domain/sync';
import type Koa from 'koa';
import { principalOf } from '../../access/principal-of.js';
import { sendEmpty, sendState } from '../../answers/representation.js';
import { isObject, readJson } from '../../requests/read-json.js';
import type { Route } from '../route.js';

/** Status of the service. It contains no personal data. */
export interface ServiceStatus {
  readonly version: string;
  /** Time of the start of the service, by its present clock. */
  readonly startedAt: Timestamp;
  /** `undefined` if the store is not on a disk. */
  readonly storage: StorageStatus | undefined;
  /** The publishers, in the order of the configuration. */
  readonly publishers: readonly PublisherStatus[];
  /** State of sending to a centre; absent without a centre. */
  readonly upstream?: UpstreamStatus | undefined;
}

/** State of sending to a centre. */
export interface UpstreamStatus {
  /** The host of the centre. */
  readonly centre: string;
  /** `waiting`: the centre is not reached, or does not take batches. The service tries again and again. */
  readonly connection: 'connected' | 'waiting';
  /** Number of changes that wait to be sent. */
  readonly waiting: number;
  readonly oldestWaitingAt: Timestamp | undefined;
  /** Time of its last answer; `undefined` if there was none since the start. */
  readonly lastContactAt: Timestamp | undefined;
  /** The latest items that it refused since the start, in the order of sending. */
  readonly refused: readonly RefusedItem[];
  /** Number of items that it refused since the start. */
  readonly refusedCount: number;
  readonly lastFault: PublisherStatus['lastFault'];
}

/** Sizes in bytes; `undefined` if the file system does not report them. */
export interface StorageStatus {
  /** Bytes that the service may still write. */
  readonly freeBytes: number | undefined;
  /** Size of the files of the store, in bytes. */
  readonly usedBytes: number | undefined;
}

/** State of a publisher. */
export interface PublisherStatus {
  readonly name: string;
  /**
   * `waiting`: its receiver, such as a broker, is not there or does not take messages. The publisher tries again and
   * again.
   */
  readonly connection: 'connected' | 'waiting';
  /**
   * Largest possible number of changes that wait to be published: changes of names count too, though they are not
   * published.
   */
  readonly waiting: number;
  /** Number of changes that its receiver refused, and that are kept to be sent again. */
  readonly setAside: number;
  /** Whether it sends nothing any more, because another attempt would get the same answer. */
  readonly isStopped: boolean;
  /** The latest fault since the start; `undefined` if there was none. */
  readonly lastFault: { readonly code: string; readonly message: string; readonly at: Timestamp } | undefined;
}

/** Reads the status of the service. `read()` does not reject. */
export interface StatusSource {
  read(): Promise<ServiceStatus>;
  /** Has a publisher send its set-aside changes again, and go on. Returns `false` if there is no such publisher. */
  sendAgain(publisher: string): boolean;
}

/**
 * `GET /api/status`: version, start, storage and publishers. `POST /api/publishers/send-again`: a publisher sends its
 * set-aside changes again, and goes on.
 */
export function statusRoutes(source: StatusSource, audit: AuditNotes | undefined): readonly Route[] {
  const sendAgain = async (ctx: Koa.Context): Promise<void> => {
    const body = await readJson(ctx);
    const publisher = isObject(body) ? body['name'] : undefined;
    if (typeof publisher !== 'string')
      return ctx.throw(400, `name: must be that of a publisher; got ${quote(publisher)}`);
    if (!source.sendAgain(publisher)) return ctx.throw(404, 'there is no such publisher');
    await audit?.note(principalOf(ctx).name, 'sent-again', { publisher });
    sendEmpty(ctx, 202);
  };
  return [
    {
      method: 'GET',
      path: '/api/status',
      action: 'see-service',
      handle: async (ctx) => sendState(ctx, formatStatus(await source.read())),
    },
    { method: 'POST', path: '/api/publishers/send-again', action: 'manage-access', handle: sendAgain },
  ];
}

function formatStatus({ version, startedAt, storage, publishers, upstream }: ServiceStatus): object {
  return {
    version,
    startedAt,
    storage: storage === undefined ? null : formatStorage(storage),
    publishers: publishers.map(({ lastFault, ...publisher }) => ({
      ...publisher,
      lastFault: lastFault ?? null,
    })),
    upstream: upstream === undefined ? null : formatUpstream(upstream),
  };
}

function formatUpstream(upstream: UpstreamStatus): object {
  const { centre, connection, waiting, oldestWaitingAt, lastContactAt, refused } = upstream;
  const { refusedCount, lastFault } = upstream;
  return {
    ...{ centre, connection, waiting },
    oldestWaitingAt: oldestWaitingAt ?? null,
    lastContactAt: lastContactAt ?? null,
    refused: refused.map(({ cursor, code, message }) => ({ cursor, code, message })),
    refusedCount,
    lastFault: lastFault ?? null,
  };
}

function formatStorage({ freeBytes, usedBytes }: StorageStatus): object {
  return { freeBytes: freeBytes ?? null, usedBytes: usedBytes ?? null };
}
