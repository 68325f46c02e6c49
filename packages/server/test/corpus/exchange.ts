import { TallybookError } from '@tallybook/domain';
import {
  parseSnapshotPart,
  parseSyncAnswer,
  parseSyncChanges,
  type CentreSync,
  type SyncTransport,
} from '@tallybook/domain/sync';

/** A request of a station and the answer of its centre, as they are sent. */
export interface Exchange {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly body?: unknown;
  /** Of a snapshot: its lines. */
  readonly answer: unknown;
}

/** Connects a station to a centre as HTTP does, and notes what was said. */
export function recording(centre: CentreSync, exchanges: Exchange[]): SyncTransport {
  const aborting = new AbortController();
  const say = async <T>(
    asked: Omit<Exchange, 'answer'>,
    ask: () => Promise<unknown>,
    parse: (value: unknown) => T,
  ): Promise<T> => {
    const answer = JSON.parse(JSON.stringify(await ask())) as unknown;
    exchanges.push({ ...asked, answer });
    return parse(answer);
  };
  return {
    push: (batch) => {
      const body = JSON.parse(JSON.stringify(batch)) as unknown;
      return say(
        { method: 'POST', path: '/api/sync', body },
        () => centre.push('gate', body),
        parseSyncAnswer,
      );
    },
    changes: (after, waitMs) => {
      const place = after === undefined ? '' : `&origin=${after.origin}&after=${after.cursor}`;
      const path = `/api/sync/changes?protocol=1${place}&wait=${waitMs / 1_000}`;
      const { signal } = aborting;
      return say({ method: 'GET', path }, () => centre.changes(after, waitMs, { signal }), parseSyncChanges);
    },
    async *snapshot() {
      const parts: unknown[] = [];
      for await (const part of centre.snapshot()) {
        const read = JSON.parse(JSON.stringify(part)) as unknown;
        parts.push(read);
        yield parseSnapshotPart(read);
      }
      exchanges.push({ method: 'GET', path: '/api/sync/snapshot?protocol=1', answer: parts });
    },
    abort: () => aborting.abort(),
  };
}

/** A centre that answers as it was noted: the changes in their order, and the snapshot. It takes everything. */
export function replaying(exchanges: readonly Exchange[]): SyncTransport {
  const answersTo = (path: string): unknown[] =>
    exchanges.filter((each) => each.path.split('?')[0] === path).map(({ answer }) => answer);
  const changes = answersTo('/api/sync/changes');
  const [snapshot] = answersTo('/api/sync/snapshot');
  const [pushed] = answersTo('/api/sync');
  let end: (error: TallybookError) => void = () => undefined;
  return {
    push: ({ run, through }) => Promise.resolve({ ...parseSyncAnswer(pushed), run, acknowledged: through }),
    changes: () => {
      const next = changes.shift();
      if (next !== undefined) return Promise.resolve(parseSyncChanges(next));
      return new Promise((_resolve, reject) => (end = reject));
    },
    async *snapshot() {
      for (const part of snapshot as readonly unknown[]) yield parseSnapshotPart(part);
    },
    abort: () => end(new TallybookError('UPSTREAM_UNAVAILABLE', 'the station has stopped asking')),
  };
}
