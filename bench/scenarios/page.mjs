import { nameOf, tags } from '../dataset.mjs';
import { Browser } from '../measure/browser.mjs';
import { Peer } from '../measure/peer.mjs';
import { median } from '../measure/rounds.mjs';

/** How many times slower than this machine a slow tablet is. */
const SLOWDOWN = 4;
const PEOPLE = 40;
const NAMES = 10_000;
const FIRST_PERSON = 'tbody th';

/** Time until the page shows who is here, and the speed of the page with ten thousand people. */
export async function run({ rounds, note }) {
  const browser = await Browser.launch();
  try {
    return [...(await firstPerson(browser, rounds, note)), ...(await manyPeople(browser, rounds))];
  } finally {
    await browser.close();
  }
}

async function firstPerson(browser, rounds, note) {
  const peer = await Peer.start('tallybook', { args: ['--clock', 'trusted'] });
  const ids = tags(PEOPLE);
  await importNames(peer, ids);
  await peer.record(ids);
  const [busy, elapsed, slow] = [[], [], []];
  const load = async (slowdown) => {
    const tab = await browser.open({ slowdown });
    const measured = await tab.load(`${peer.url}/`, FIRST_PERSON);
    await tab.close();
    return measured;
  };
  for (let round = 0; round < rounds; round++) {
    const measured = await load(1);
    busy.push(measured.busyMs);
    elapsed.push(measured.elapsedMs);
    slow.push((await load(SLOWDOWN)).elapsedMs);
  }
  await peer.stop();
  note(
    `the first person was on the screen after ${Math.round(Math.min(...elapsed))} ms at best, with the processor slowed ` +
      `${SLOWDOWN} times after ${Math.round(Math.min(...slow))} ms: what else the machine does is in these, and not in processor time`,
  );
  const what = 'page, empty cache, until the first person is on the screen';
  return [
    { what: `${what}: processor time`, ours: median(busy), unit: 'ms', most: 1_000 / SLOWDOWN },
    { what: `${what}: processor ${SLOWDOWN} times slower`, ours: median(slow), unit: 'ms', most: 1_000 },
  ];
}

async function manyPeople(browser, rounds) {
  const peer = await Peer.start('tallybook', { args: ['--clock', 'trusted'] });
  await importNames(peer, tags(NAMES));
  const tab = await browser.open();
  const { page } = tab;
  await page.goto(`${peer.url}/#/people`);
  await page.locator(FIRST_PERSON).first().waitFor();
  await page.locator('[data-state="open"]').waitFor({ state: 'attached' });
  await tab.busyMs(() => page.getByRole('searchbox').focus());
  const [type, sort, scroll] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    for (const letter of 'ada') type.push(await tab.busyMs(() => page.keyboard.press(letter)));
    for (let n = 0; n < 3; n++) type.push(await tab.busyMs(() => page.keyboard.press('Backspace')));
    for (const column of [2, 0, 0])
      sort.push(await tab.busyMs(() => page.locator('button.sort').nth(column).click()));
    await page.mouse.move(600, 500);
    for (const way of [3_000, 3_000, -6_000]) scroll.push(await tab.busyMs(() => page.mouse.wheel(0, way)));
    await page.getByRole('searchbox').focus();
  }
  await tab.close();
  await peer.stop();
  const row = (what, values) => ({
    what: `page of ${NAMES.toLocaleString('en')} people: ${what}, processor time`,
    ours: median(values),
    unit: 'ms',
    // All tasks together take less than one long task of a browser, even on a processor that is four times slower.
    most: 50,
  });
  return [row('a letter of a search', type), row('another order', sort), row('a turn of the wheel', scroll)];
}

async function importNames(peer, ids) {
  const lines = ids.map((id, n) => JSON.stringify({ id, ...nameOf(n) })).join('\n');
  const headers = { 'content-type': 'application/jsonl' };
  const response = await fetch(`${peer.url}/api/people`, { method: 'POST', headers, body: lines });
  if (!response.ok) throw new Error(await response.text());
}
