// The outside load: autocannon in a process of its own, one job after another.
import autocannon from 'autocannon';
import { nameOf, tagOf } from '../dataset.mjs';

// A tag never gets the same name twice: a store need not write an unchanged name.
let posted = 0;

// The benchmark has ended.
process.on('disconnect', () => process.exit());
process.on('message', async ({ url, connections, seconds, headers, tagCount }) => {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 100,
    headers,
    ...(tagCount === undefined ? {} : { requests: [{ setupRequest: nextPost(tagCount) }] }),
  });
  const { errors, timeouts, duration, statusCodeStats } = result;
  const statuses = Object.fromEntries(
    Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]),
  );
  process.send({ rate: result.requests.total / duration, errors: errors + timeouts, statuses });
});

function nextPost(tagCount) {
  return (request) => {
    const n = posted++;
    const body = JSON.stringify({ id: tagOf(n % tagCount), name: nameOf(n) });
    const type = { 'content-type': 'application/json' };
    return { ...request, method: 'POST', headers: { ...request.headers, ...type }, body };
  };
}
