/** Milliseconds until the whole answer is there. */
export async function timeOf(url) {
  const before = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - before;
}

export async function putName({ url }, id, name) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ id, name });
  await (await fetch(`${url}/api/mapping`, { method: 'POST', headers, body })).arrayBuffer();
}
