import { read, readEntries } from '../ask.js';
import { followStream } from './follow-stream.js';
import { GUEST, MEMBER, versionOfGroups } from './members.js';
import type { Shown, ShownTag } from './servers-ledger.js';
import type { Subject } from './subject.js';

/** All data that a server shows about the tags of one load. */
export async function readAll(url: string, { prefix, headers }: Subject): Promise<Shown> {
  const tags = new Map<string, ShownTag>();
  const entries = await readEntries(url, headers);
  for (const { day, id, count } of entries.filter((entry) => entry.id.startsWith(prefix))) {
    const { at } = await read<{ at: number[] }>(url, `/api/scans?day=${day}&id=${id}`, headers);
    tags.set(`${day} ${id}`, { id, count, scans: at });
  }
  const mapping = await read<Record<string, { last: string }>>(url, '/api/mapping', headers);
  const own = Object.entries(mapping).filter(([id]) => id.startsWith(prefix));
  const names = new Map(own.map(([id, { last }]) => [id, Number(last.slice(1))]));
  const people = await readListed(url, headers);
  const members = people.filter(({ name }) => name?.first === MEMBER && name.last.startsWith(prefix));
  const groups = new Map(members.map(({ id, groups: its }) => [id, versionOfGroups(its)]));
  const visitors = people.filter(({ name, guest }) => name?.first === GUEST && guest !== null);
  const guests = new Set(visitors.flatMap(({ name }) => name?.last ?? []));
  const journal: string[] = [];
  const onChange = (id: string): void => void journal.push(id);
  await followStream(url, { prefix, headers, onChange, onReset: () => undefined });
  return { tags: [...tags.values()], names, groups, guests, journal };
}

interface ListedPerson {
  readonly id: string;
  readonly name: { readonly first: string; readonly last: string } | null;
  readonly groups: readonly string[];
  readonly guest: object | null;
}

async function readListed(url: string, headers: Subject['headers']): Promise<readonly ListedPerson[]> {
  const all: ListedPerson[] = [];
  for (let after = ''; ;) {
    const path = `/api/people?limit=1000${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`;
    const page = await read<{ people: ListedPerson[]; next: string | null }>(url, path, headers);
    all.push(...page.people);
    if (page.next === null) return all;
    after = page.next;
  }
}
