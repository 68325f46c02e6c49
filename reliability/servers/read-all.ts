import { read } from './ask.js';
import { followStream } from './follow-stream.js';
import type { Shown, ShownTag } from './servers-ledger.js';

/** Whose tags are meant, and how to ask for them. */
export interface Subject {
  /** All tags of a load begin with it. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The tag that is tapped last, so that whoever follows knows that all is told. */
export function lastTagOf(prefix: string): string {
  return `${prefix}FFFFFF`;
}

/** Everything that a server shows of the tags of one load. */
export async function readAll(url: string, { prefix, headers }: Subject): Promise<Shown> {
  const days = await read<number[]>(url, '/api/days?from=0&to=18446744073709551615', headers);
  const tags = new Map<string, ShownTag>();
  for (const day of days) {
    const { entries } = await read<{ entries: { id: string; count: number }[] }>(
      url,
      `/api/day?day=${day}&expand=entries`,
      headers,
    );
    for (const { id, count } of entries.filter((entry) => entry.id.startsWith(prefix))) {
      const { at } = await read<{ at: number[] }>(url, `/api/scans?day=${day}&id=${id}`, headers);
      tags.set(`${day} ${id}`, { id, count, scans: at });
    }
  }
  const mapping = await read<Record<string, { last: string }>>(url, '/api/mapping', headers);
  const own = Object.entries(mapping).filter(([id]) => id.startsWith(prefix));
  const names = new Map(own.map(([id, { last }]) => [id, Number(last.slice(1))]));
  const journal: string[] = [];
  const onChange = (id: string): void => void journal.push(id);
  await followStream(url, { prefix, headers, onChange, onReset: () => undefined });
  return { tags: [...tags.values()], names, journal };
}
