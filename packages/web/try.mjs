import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
const dir = '/tmp/page-try';
const child = spawn(
  'node',
  [
    'packages/server/bin/tallybook.js',
    'serve',
    '--port',
    '0',
    '--store',
    'memory:',
    '--zone',
    'Europe/Berlin',
    '--clock',
    'trusted',
    '--repeat-window',
    '0',
    '--reader',
    'stdin:?name=hall',
  ],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
let out = '';
child.stdout.on('data', (d) => (out += d));
while (!/listening on (http:[^"\s]+)/.test(out)) await new Promise((r) => setTimeout(r, 50));
const url = /listening on (http:[^"\s]+)/.exec(out)[1];
const people = [
  ['04A2B3C4D5', 'Ada', 'Lovelace'],
  ['0011223344', 'Grace', 'Hopper'],
  ['04AABBCCDD', 'Jürgen', 'Müller-Lüdenscheidt'],
  ['04AABBCC01', 'Ömer', 'Yılmaz'],
  ['04AABBCC02', 'Marie', 'Curie'],
  ['04AABBCC03', 'Konrad', 'Zuse'],
  ['04AABBCC04', 'Radia', 'Perlman'],
  ['04AABBCC14', 'Hedy', 'Lamarr'],
  ['04AABBCC24', 'Alan', 'Turing'],
  ['04AABBCC34', 'Emmy', 'Noether'],
  ['04AABBCC44', 'Katherine', 'Johnson'],
  ['04AABBCC54', 'Edsger', 'Dijkstra'],
  ['04AABBCC64', 'Lise', 'Meitner'],
];
for (const [id, first, last] of people)
  await fetch(url + '/api/mapping', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, name: { first, last } }),
  });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
for (const [name, opt] of Object.entries({
  light: { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  dark: { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
})) {
  const page = await (await browser.newContext(opt)).newPage();
  page.on('console', (m) => console.log(name, m.type(), m.text()));
  page.on('pageerror', (e) => console.log(name, 'ERR', e));
  await page.goto(url + '/');
  await page.waitForSelector('h1');
  for (const [id] of people) child.stdin.write(id + '\n');
  child.stdin.write('DEADBEEF01\n04A2B3C4D5\n');
  await page.waitForSelector('.unnamed');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${dir}/today-${name}.png` });
  await page.locator('.page-head button').first().click();
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${dir}/guest-${name}.png` });
  await page.keyboard.press('Escape');
  for (const p of ['muster', 'kiosk']) {
    await page.goto(url + '/#/' + p);
    await page.waitForTimeout(800);
    if (p === 'kiosk') {
      await page.screenshot({ path: `${dir}/${p}-idle-${name}.png` });
      child.stdin.write((name === 'light' ? '04AABBCC05' : '04AABBCC02') + '\n');
      await page.waitForTimeout(500);
    } else await page.locator('input').nth(2).check();
    await page.screenshot({ path: `${dir}/${p}-${name}.png` });
    if (p === 'muster' && name === 'light') {
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 794, height: 1123 });
      await page.screenshot({ path: `${dir}/print.png` });
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize(opt.viewport);
    }
  }
  if (name === 'none') {
    await page.evaluate(() => 0);
    child.stdin.write('04AABBCC02\n');
    await page.waitForTimeout(600);
    await page.screenshot({ path: `${dir}/kiosk-again.png` });
    await page.goto(url + '/#/muster');
    await page.waitForTimeout(500);
    child.kill('SIGKILL');
    await page.waitForTimeout(3500);
    await page.screenshot({ path: `${dir}/muster-lost.png` });
    await page.goto(url + '/#/');
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${dir}/today-lost.png` });
  }
}
await browser.close();
child.kill();
