import { read, readEntries } from '../ask.js';
import { followStream } from './follow-stream.js';
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
  const journal: string[] = [];
  const onChange = (id: string): void => void journal.push(id);
  await followStream(url, { prefix, headers, onChange, onReset: () => undefined });
  return { tags: [...tags.values()], names, journal };
}
