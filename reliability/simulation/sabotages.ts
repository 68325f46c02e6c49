import { TallybookError, type TallyId } from '@tallybook/domain';
import { NOWHERE, type NameStamp } from '@tallybook/domain/record';
import type { SyncBatch, SyncItem } from '@tallybook/domain/sync';
import { CENTRE } from './plan.js';
import { honest, type Sabotage } from './sabotage.js';

/** Faults of a part, by the rules that they break. Each is made anew for every world. */
export const sabotages: Readonly<Record<string, () => Sabotage>> = {
  'a batch is acknowledged before it is applied': () => ({
    ...honest,
    inTheCentre: (upstream, { stations }) =>
      replacing(upstream, {
        push: async (station, batch) => {
          const { run, through: last, status } = batch;
          const { now } = await upstream.changes(undefined, 0);
          await stations.acknowledge(station, run, last, { heardAt: now, status, refused: [] });
          upstream.push(station, batch).catch(() => undefined);
          return { run, acknowledged: last, refused: [], superseded: [], erasures: [], now };
        },
      }),
  }),
  'a refused item blocks the queue': () => ({
    ...honest,
    inTheCentre: (upstream) =>
      replacing(upstream, {
        push: async (station, batch) => {
          const answer = await upstream.push(station, batch);
          if (answer.refused.length === 0) return answer;
          throw new TallybookError('UPSTREAM_UNAVAILABLE', 'one of them was refused');
        },
      }),
  }),
  'the name that comes last wins': () => ({
    ...honest,
    atCentre: (stores) => ({
      ...stores,
      stampedNames: replacing(stores.stampedNames, {
        merge: async (names) => {
          await stores.stampedNames.replace(names);
          return [];
        },
      }),
    }),
  }),
  'a clock that is ahead wins for years': () => {
    const sent = new Map<TallyId, NameStamp | null>();
    return {
      ...honest,
      inTheCentre: (upstream) =>
        replacing(upstream, {
          push: (station, batch) => {
            for (const item of batch.items) if (item.kind === 'name') sent.set(item.id, item.stamp);
            return upstream.push(station, batch);
          },
        }),
      atCentre: (stores) => ({
        ...stores,
        stampedNames: replacing(stores.stampedNames, {
          merge: (names) =>
            stores.stampedNames.merge(
              names.map((name) => ({ ...name, stamp: sent.get(name.id) ?? name.stamp })),
            ),
        }),
      }),
    };
  },
  'who was erased comes back': () => ({
    ...honest,
    atCentre: (stores) => ({
      ...stores,
      erasures: replacing(stores.erasures, { isRefused: () => false }),
    }),
  }),
  'the centre takes the arrival of a name for the time when it was given': () => ({
    ...honest,
    atCentre: (stores) => ({
      ...stores,
      stampedNames: replacing(stores.stampedNames, {
        merge: (names) =>
          stores.stampedNames.merge(
            names.map(({ stamp, ...name }) => ({
              ...name,
              stamp: stamp?.node === NOWHERE ? { ...stamp, node: CENTRE } : stamp,
            })),
          ),
      }),
    }),
  }),
  'a station refuses a tag for as long as its clock was ahead': () => ({
    ...honest,
    atStation: (stores) => ({
      ...stores,
      erasures: replacing(stores.erasures, { shorten: () => Promise.resolve() }),
    }),
  }),
  'an erasure is not sent': () => sending((items) => items.filter(({ kind }) => kind !== 'erasure')),
  'the centre does not tell what it decided of a correction': () => ({
    ...honest,
    inTheCentre: (upstream) =>
      replacing(upstream, {
        changes: async (after, waitMs) => {
          const changes = await upstream.changes(after, waitMs);
          const items = changes.items.filter(
            (item) => item.kind !== 'correction' || item.correction.decision === undefined,
          );
          return { ...changes, items };
        },
      }),
  }),
  'what comes down overwrites what waits to be sent': () => ({
    ...honest,
    onTheWay: (transport, { stampedNames }) =>
      replacing(transport, {
        changes: async (after, waitMs) => {
          const changes = await transport.changes(after, waitMs);
          const names = changes.items.flatMap((item) => (item.kind === 'name' ? item : []));
          await stampedNames.replace(
            names.map(({ id, name, stamp }) => ({ id, name: name ?? undefined, stamp: stamp ?? undefined })),
          );
          return changes;
        },
      }),
  }),
  'the centre guesses when a provisional scan was made': () => ({
    ...honest,
    onTheWay: (transport, { provisional }) =>
      replacing(transport, {
        push: async (batch) => {
          const { now } = await transport.changes(undefined, 0);
          const day = Math.floor(now / 86_400);
          const waiting = (await provisional.list()).filter(({ filing }) => filing === undefined);
          const guessed = waiting.map(({ id }) => ({
            kind: 'scan',
            day,
            id,
            at: now,
            cursor: batch.through,
          }));
          return transport.push({ ...batch, items: [...batch.items, ...(guessed as SyncItem[])] });
        },
      }),
  }),
  'a scan that is sent again counts twice': () => ({
    ...honest,
    inTheCentre: (upstream, { stations }) =>
      replacing(upstream, {
        push: async (station, batch) => {
          const progress = await stations.progress(station, batch.run);
          const items = batch.items.map((item) =>
            item.kind === 'scan' && item.cursor <= progress ? { ...item, at: item.at + 1 } : item,
          );
          return upstream.push(station, { ...batch, items } as SyncBatch);
        },
      }),
  }),
  'a snapshot leaves out the names that were removed': () => ({
    ...honest,
    inTheCentre: (upstream) =>
      replacing(upstream, {
        snapshot: async function* () {
          let left = 0;
          for await (const part of upstream.snapshot()) {
            if (part.kind === 'name' && part.name === null) left++;
            else yield part.kind === 'end' ? { ...part, items: part.items - left } : part;
          }
        },
      }),
  }),
  'a snapshot that was cut is taken for a whole one': () => ({
    ...honest,
    onTheWay: (transport) =>
      replacing(transport, {
        snapshot: async function* () {
          let items = -1;
          let isWhole = false;
          try {
            for await (const part of transport.snapshot()) {
              items++;
              isWhole = part.kind === 'end';
              yield part;
            }
          } catch (error) {
            if (items < 0) throw error;
          }
          if (!isWhole && items >= 0) yield { kind: 'end', items };
        },
      }),
  }),
};

/** The same object with some methods replaced. */
function replacing<T extends object>(target: T, others: Partial<T>): T {
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(key in others ? others : target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A station that sends other items than it should. */
function sending(change: (items: readonly SyncItem[]) => readonly SyncItem[]): Sabotage {
  return {
    ...honest,
    onTheWay: (transport) =>
      replacing(transport, {
        push: (batch) => transport.push({ ...batch, items: change(batch.items) }),
      }),
  };
}
