// Fastify and better-sqlite3 in today's usual way: prepared statements, WAL, and a sync for every commit.
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { join } from 'node:path';
import { days, FULL_DAY, mapping, READING, tags } from '../dataset.mjs';

const [folder] = process.argv.slice(2);
const database = new Database(join(folder, 'attendance.db'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(`
  CREATE TABLE name (id TEXT PRIMARY KEY, first TEXT NOT NULL, last TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE day (day INTEGER PRIMARY KEY);
  CREATE TABLE entry (day INTEGER, place INTEGER, id TEXT NOT NULL, PRIMARY KEY (day, place)) WITHOUT ROWID;
`);

const putName = database.prepare(
  `INSERT INTO name VALUES (@id, @first, @last)
   ON CONFLICT (id) DO UPDATE SET first = excluded.first, last = excluded.last`,
);
const allNames = database.prepare('SELECT id, first, last FROM name ORDER BY id');
const idsOfDay = database.prepare('SELECT id FROM entry WHERE day = ? ORDER BY place').pluck();
const daysBetween = database.prepare('SELECT day FROM day WHERE day BETWEEN ? AND ? ORDER BY day').pluck();
fill();

const text = { type: 'string', minLength: 1, maxLength: 100 };
const newMapping = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', pattern: '^([0-9A-Fa-f]{2}){3,10}$' },
    name: { type: 'object', required: ['first', 'last'], properties: { first: text, last: text } },
  },
};
const day = { type: 'object', properties: { day: { type: 'integer' } } };
const range = { type: 'object', required: ['from', 'to'], properties: { from: text, to: text } };

const app = Fastify();
app.get('/api/mapping', () => {
  const names = {};
  for (const { id, first, last } of allNames.iterate()) names[id] = { first, last };
  return names;
});
app.post('/api/mapping', { schema: { body: newMapping } }, ({ body: { id, name } }, reply) => {
  putName.run({ id, ...name });
  reply.code(201).send();
});
app.get('/api/day', { schema: { querystring: day } }, ({ query }) => ({
  date: query.day,
  ids: idsOfDay.all(query.day),
}));
app.get('/api/days', { schema: { querystring: range } }, ({ query: { from, to } }) =>
  daysBetween.all(dayOf(from), dayOf(to)),
);
console.log(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}`);

function dayOf(seconds) {
  return Math.min(Math.floor(Number(seconds) / 86_400), 4_294_967_295);
}

function fill() {
  const putDay = database.prepare('INSERT INTO day VALUES (?)');
  const putEntry = database.prepare('INSERT INTO entry VALUES (?, ?, ?)');
  database.transaction(() => {
    for (const { id, name } of mapping(READING.names)) putName.run({ id, ...name });
    for (const each of days(READING.dayCount)) putDay.run(each);
    tags(READING.ids).forEach((id, place) => putEntry.run(FULL_DAY, place, id));
  })();
}
