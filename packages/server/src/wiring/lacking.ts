import type { ServedStorage } from '../config/stores.js';

interface Feature {
  readonly name: string;
  readonly needs: readonly (string & keyof ServedStorage)[];
  /** Paths of the HTTP interface that need it. */
  readonly paths: readonly string[];
}

/** What needs a facet that a storage may lack. */
const features: readonly Feature[] = [
  {
    name: 'corrections',
    needs: ['corrections'],
    paths: ['/api/corrections', '/api/corrections/decision', '/api/scans'],
  },
  {
    name: 'erasures and the data of a person',
    needs: ['erasures'],
    paths: ['/api/erasures', '/api/retention', '/api/person/data'],
  },
  {
    name: 'stations',
    needs: ['provisional', 'corrections', 'erasures', 'stampedNames', 'stations'],
    paths: ['/api/sync', '/api/sync/changes', '/api/sync/snapshot', '/api/stations'],
  },
  { name: 'scans without a trusted time', needs: ['provisional'], paths: [] },
  { name: 'counting readings once that a device sends again', needs: ['receipts'], paths: [] },
];

/** What a storage lacks, as one sentence; `undefined` if it lacks nothing. */
export function describeLacking(storage: ServedStorage): string | undefined {
  const off = features.filter((feature) => missing(storage, feature).length > 0);
  const missed =
    storage.isJournalVolatile === true
      ? 'its journal begins anew at each start, so webhooks may miss what happened while the service was off'
      : undefined;
  if (off.length === 0) return missed && `the storage of this app is composed: ${missed}`;
  const facets = [...new Set(off.flatMap((feature) => missing(storage, feature)))];
  const names = off.map(({ name }) => name).join(', ');
  return [
    `off, as the storage has no ${facets.join(', ')}: ${names}`,
    ...(missed === undefined ? [] : [missed]),
  ].join('; ');
}

/** The paths that are not offered, each with the reason. */
export function lackingPaths(storage: ServedStorage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    features.flatMap((feature) => {
      const facets = missing(storage, feature);
      if (facets.length === 0) return [];
      const reason = `Not offered here: the storage has no ${facets.join(', ')}`;
      return feature.paths.map((path) => [path, reason] as const);
    }),
  );
}

function missing(storage: ServedStorage, { needs }: Feature): readonly string[] {
  return needs.filter((facet) => storage[facet] === undefined);
}
