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
  ],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
let out = '';
child.stdout.on('data', (d) => (out += d));
while (!/listening on (http:[^"\s]+)/.test(out)) await new Promise((r) => setTimeout(r, 50));
const url = /listening on (http:[^"\s]+)/.exec(out)[1];
console.log(url, out);
const people = [
  ['04A2B3C4D5', 'Ada', 'Lovelace'],
  ['0011223344', 'Grace', 'Hopper'],
  ['04AABBCCDD', 'Jürgen', 'Müller-Lüdenscheidt'],
  ['04AABBCC01', 'Ömer', 'Yılmaz'],
  ['04AABBCC02', 'Marie', 'Curie'],
  ['04AABBCC03', 'Konrad', 'Zuse'],
  ['04AABBCC04', 'Radia', 'Perlman'],
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
  if (name === 'light') await page.screenshot({ path: `${dir}/empty.png` });
  for (const [id] of people) child.stdin.write(id + '\n');
  child.stdin.write('DEADBEEF01\n04A2B3C4D5\n');
  await page.waitForSelector('.unnamed');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${dir}/today-${name}.png`, fullPage: true });
  for (const p of ['muster', 'kiosk']) {
    await page.goto(url + '/#/' + p);
    await page.waitForTimeout(800);
    if (p === 'kiosk') {
      child.stdin.write('04AABBCC0' + (name === 'light' ? '5' : '2') + '\n');
      await page.waitForTimeout(500);
    }
    await page.screenshot({ path: `${dir}/${p}-${name}.png` });
  }
}
await browser.close();
child.kill();
