// Express with all data in memory, like a first prototype. The data is lost at its end.
import express from 'express';
import { days, FULL_DAY, mapping, READING, tags } from '../dataset.mjs';

const names = new Map(mapping(READING.names).map(({ id, name }) => [id, name]));
const idsOfDay = new Map(
  days(READING.dayCount).map((day) => [day, day === FULL_DAY ? tags(READING.ids) : []]),
);

const app = express();
app.use(express.json());
app.get('/api/mapping', (_request, response) => response.json(Object.fromEntries(names)));
app.post('/api/mapping', ({ body: { id, name } }, response) => {
  names.set(id, name);
  response.status(201).end();
});
app.get('/api/day', ({ query }, response) => {
  const date = Number(query.day);
  response.json({ date, ids: idsOfDay.get(date) });
});
app.get('/api/days', ({ query }, response) => {
  const [from, to] = [query.from, query.to].map((seconds) => Math.floor(Number(seconds) / 86_400));
  response.json([...idsOfDay.keys()].filter((day) => day >= from && day <= to));
});
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
