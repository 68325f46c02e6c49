import type { Contents, ShownEntry } from '../ledger/contents.js';

/** Everything that a service shows over HTTP. */
export async function readService(url: string): Promise<Contents> {
  const mapping = (await getJson(`${url}/api/mapping`)) as Record<string, { first: string; last: string }>;
  const listed = (await getJson(`${url}/api/days?from=0&to=18446744073709551615`)) as readonly number[];
  const days = new Map<number, readonly ShownEntry[]>();
  for (const day of listed) {
    const { ids, entries } = (await getJson(`${url}/api/day?day=${day}&expand=entries`)) as {
      readonly ids: readonly string[];
      readonly entries: readonly ShownEntry[];
    };
    if (ids.join() !== entries.map(({ id }) => id).join())
      throw new Error(`day ${day}: ids and entries differ`);
    days.set(day, entries);
  }
  return { mapping: new Map(Object.entries(mapping)), days };
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
