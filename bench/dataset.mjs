// People, tags and days: the same data for all peers.

/** The day with many ids. The days before it, if there are any, hold a few ids. */
export const FULL_DAY = 20_411;

export const DAYS_QUERY = '/api/days?from=0&to=18446744073709551615';

/**
 * The n-th tag: seven bytes that do not resemble the tags before and after it. Because of the multiplication, different n
 * give different tags.
 */
export function tagOf(n) {
  const scattered = Math.imul(n + 1, 0x9e3779b1) >>> 0;
  return `04${scattered.toString(16).padStart(8, '0')}${(n & 0xffff).toString(16).padStart(4, '0')}`.toUpperCase();
}

export function nameOf(n) {
  return { first: `Ada ${n}`, last: `Lovelace-Byron ${n % 97}` };
}

/** Tags and names, ascending by tag. */
export function mapping(count) {
  return Array.from({ length: count }, (_, n) => ({ id: tagOf(n), name: nameOf(n) })).sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}

export function tags(count, from = 0) {
  return Array.from({ length: count }, (_, n) => tagOf(from + n));
}

/** The last `count` days up to {@link FULL_DAY}, ascending. */
export function days(count) {
  return Array.from({ length: count }, (_, n) => FULL_DAY - count + 1 + n);
}

/** The answers that every peer must give, as texts. */
export function answers({ names, ids, dayCount }) {
  return {
    mapping: `{${mapping(names)
      .map(({ id, name }) => `"${id}":${JSON.stringify(name)}`)
      .join(',')}}`,
    day: JSON.stringify({ date: FULL_DAY, ids: tags(ids) }),
    days: JSON.stringify(days(dayCount)),
  };
}

/** The amount of data for the budgets of reading. */
export const READING = { names: 1_000, ids: 500, dayCount: 3_650 };

/** The same as the content of a store. */
export const READING_STORE = {
  names: READING.names,
  days: days(READING.dayCount).map((day) => ({ day, ids: day === FULL_DAY ? READING.ids : 1 })),
};

/** What is read of it. */
export const RESOURCES = [
  { what: 'GET /api/mapping, 1,000 names', path: '/api/mapping', timesSqlite: 10 },
  { what: 'GET /api/day, 500 ids', path: `/api/day?day=${FULL_DAY}` },
  { what: 'GET /api/days, 3,650 days', path: DAYS_QUERY, timesSqlite: 10 },
];
