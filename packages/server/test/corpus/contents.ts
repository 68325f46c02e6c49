import {
  carriedPages,
  personPages,
  plainCarried,
  plainGroup,
  plainPerson,
  plainTimeline,
  timelinePages,
  type JournalEntry,
} from '@tallybook/domain';
import { auditEntriesOf, stampedNamesOf } from '../../src/copy/survey-stores.js';
import type { FullStorage } from '../../src/config/stores.js';

/** A row of a storage, and its kind. */
export type Content = readonly [kind: string, row: unknown];

/** Everything that a storage keeps, as its ports give it, in an order that does not depend on the kind of the storage. */
export async function contentsOf(stores: FullStorage): Promise<readonly Content[]> {
  const contents = [...(await recordOf(stores, (row) => row)), ...(await serviceOf(stores))];
  for await (const name of stampedNamesOf(stores))
    contents.push(['name', { ...name, stamp: name.stamp ?? null }]);
  contents.push(
    ['origin', await stores.journal.origin()],
    ['position', await stores.journal.position('corpus')],
  );
  for (const entry of await entriesOf(stores)) contents.push(['change', entry]);
  return contents.map((content) => JSON.parse(JSON.stringify(content)) as Content);
}

/** What one place tells another one, and a backup keeps. Numbers that each store gives by itself are left out. */
export async function sharedOf(stores: FullStorage): Promise<readonly Content[]> {
  const contents = await recordOf(stores, (row) => ({ ...row, number: undefined, sequence: undefined }));
  for await (const [id, name] of (await stores.snapshots.take()).names())
    contents.push(['name', { id, name }]);
  return contents.map((content) => JSON.parse(JSON.stringify(content)) as Content);
}

async function recordOf(stores: FullStorage, strip: (row: object) => object): Promise<Content[]> {
  const contents: Content[] = [];
  const { people } = stores;
  for await (const page of personPages(people))
    for (const row of page) contents.push(['person', plainPerson(row)]);
  for await (const page of timelinePages(people))
    for (const row of page) contents.push(['tag', plainTimeline(row)]);
  for (const row of await people.groups()) contents.push(['group', plainGroup(row)]);
  for await (const page of carriedPages(people))
    for (const row of page) contents.push(['carried', plainCarried(row)]);
  await using snapshot = await stores.snapshots.take();
  for await (const day of snapshot.details()) contents.push(['day', day]);
  const rest: Content[] = [];
  for await (const row of snapshot.corrections()) rest.push(['correction', strip(row)]);
  for await (const row of snapshot.provisional()) rest.push(['provisional', strip(row)]);
  for (const { key, digest, from, until, expiresAt } of await stores.erasures.list())
    rest.push(['erasure', { key, digest, from, until, expiresAt }]);
  return [...contents, ...sorted(rest)];
}

/** Users, the audit trail and the like, which neither backups nor stations have. */
async function serviceOf(stores: FullStorage): Promise<readonly Content[]> {
  const contents: Content[] = [];
  const { users, credentials } = await stores.access.read();
  for (const row of users) contents.push(['user', row]);
  for (const row of credentials) contents.push(['credential', row]);
  for (const row of await stores.receipts.list()) contents.push(['receipt', row]);
  for (const row of await stores.stations.list()) contents.push(['station', row]);
  const ordered = sorted(contents);
  for await (const entry of auditEntriesOf(stores)) ordered.push(['audit', entry]);
  return ordered;
}

async function entriesOf({ journal }: FullStorage): Promise<readonly JournalEntry[]> {
  const all: JournalEntry[] = [];
  for (;;) {
    const page = await journal.read(all.at(-1)?.cursor ?? 0, 1_000);
    if (!page.isKnown) throw new Error(`the changes are not known: ${page.reason}`);
    if (page.entries.length === 0) return all;
    all.push(...page.entries);
  }
}

function sorted(contents: readonly Content[]): Content[] {
  const texts = new Map(contents.map((content) => [content, JSON.stringify(content)]));
  return [...contents].sort((a, b) => ((texts.get(a) ?? '') < (texts.get(b) ?? '') ? -1 : 1));
}
