import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { loadConfig, readConfigFile, settings, type Settings } from '@tallybook/server';
import { failureOf } from '../fixtures/failure-of.js';
import { problemsOf } from '../fixtures/problems-of.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { loadStoreUrl } from '../../src/config/config.js';

describe('a configuration file', () => {
  const folder = temporaryFolder();

  async function write(name: string, text: string | Uint8Array): Promise<string> {
    await writeFile(folder.path(name), text);
    return folder.path(name);
  }

  async function problemsIn(name: string, text: string | Uint8Array, flags: Settings = {}) {
    const file = await readConfigFile(await write(name, text)).catch((error: unknown) => error as Error);
    if (file instanceof Error) return file.message.split('\n');
    return problemsOf(flags, {}, { file });
  }

  const toml = `
    # The hall
    port = 9000
    zone = "Europe/Berlin"
    day-start = "04:00"
    repeat-window = "5s"
    reader = ["stdin:?name=desk", "wiegand:gpiochip0?d0=1&d1=2&bits=26,34"]
    indicator = "gpio:gpiochip0?green=22"
  `;

  it('has the flags as keys, in TOML', async () => {
    const config = loadConfig({}, {}, { file: await readConfigFile(await write('tallybook.toml', toml)) });
    expect(config).to.deep.include({
      port: 9000,
      zone: 'Europe/Berlin',
      dayStart: '04:00',
      repeatWindowMs: 5000,
      readers: ['stdin:?name=desk', 'wiegand:gpiochip0?d0=1&d1=2&bits=26,34'],
      indicators: ['gpio:gpiochip0?green=22'],
      host: '127.0.0.1',
    });
  });

  it('is JSON by its name', async () => {
    const text = JSON.stringify({ port: 9000, 'day-start': '04:00', reader: ['stdin:'] });
    const config = loadConfig({}, {}, { file: await readConfigFile(await write('tallybook.json', text)) });
    expect(config).to.deep.include({ port: 9000, dayStart: '04:00', readers: ['stdin:'] });
  });

  it('loses to a variable, and a variable to a flag', async () => {
    const file = await readConfigFile(await write('tallybook.toml', toml));
    const env = { TALLYBOOK_PORT: '9001', TALLYBOOK_ZONE: 'Asia/Kolkata', TALLYBOOK_READERS: 'simulated:' };
    const config = loadConfig({ port: '9002' }, env, { file });
    expect(config).to.deep.include({
      port: 9002,
      zone: 'Asia/Kolkata',
      readers: ['simulated:'],
      dayStart: '04:00',
    });
  });

  it('accepts every setting', async () => {
    const written = Object.values(settings).map(({ flag, ...setting }) => [flag, setting.default]);
    const file = await readConfigFile(await write('all.json', JSON.stringify(Object.fromEntries(written))));
    expect(loadConfig({}, {}, { file })).to.deep.equal(loadConfig({}, {}));
  });

  it('is named in the message of a wrong setting, with the key', async () => {
    const text = 'port = 65536\nreaders = "stdin:"\nzone = ["UTC", "UTC"]\nreader = ["drum:", "stdin:"]';
    const found = await problemsIn('hall.toml', text, { logLevel: 'loud' });
    const expected = [
      /^\S*hall\.toml: there is no setting "readers" \(did you mean reader\?\); allowed are host, port, .*reader/,
      /^\S*hall\.toml: port: a whole number from 0 to 65535; got "65536"$/,
      /^\S*hall\.toml: zone: one value; got a list of 2$/,
      /^--log-level: /,
      /^\S*hall\.toml: reader: .*drum/,
    ];
    expect(found).to.have.length(expected.length);
    for (const [index, pattern] of expected.entries()) expect(found[index]).to.match(pattern);
  });

  it('is refused with the place of the mistake when it is neither TOML nor JSON', async () => {
    expect(await problemsIn('a.toml', 'port = 1\nzone = UTC')).to.match(
      /a\.toml is not TOML: line 2, column \d+: /,
    );
    expect(await problemsIn('a.toml', 'port = 1\nzone = UTC')).to.have.length(1);
    expect(await problemsIn('a.json', '{"port":1')).to.match(/a\.json is not JSON: /);
    expect(await problemsIn('b.json', '[1]')).to.match(/b\.json must be one JSON object/);
    expect(await problemsIn('b.json', 'null')).to.match(/b\.json must be one JSON object/);
    expect(await problemsIn('c.toml', Uint8Array.of(0x70, 0xff))).to.match(
      /c\.toml cannot be read: it is not UTF-8/,
    );
  });

  it('has only texts, whole numbers, booleans and lists of them, and an error shows the value', async () => {
    for (const [value, found] of [
      ['1.5', '1.5'],
      ['[[1]]', 'a list within a list'],
      ['{ a = 1 }', '{"a":1}'],
      ['2026-11-22', 'the date or time 2026-11-22'],
      ['04:00:00', 'the date or time 04:00:00.000'],
      ['[1, inf]', 'Infinity'],
    ] as const) {
      const problems = await problemsIn('a.toml', `port = ${value}`);
      expect(problems, value).to.have.length(1);
      expect(problems[0]).to.match(
        /a\.toml: port: a text, a whole number, true or false, or a list of these; a time or a date is a text, in quotes; got /,
      );
      expect(problems[0]?.endsWith(`; got ${found}`), problems[0]).to.equal(true);
    }
    expect(await problemsIn('a.toml', 'port = 9007199254740993')).to.match(/is not TOML: line 1/);
  });

  it('is refused with all its mistakes at once, also with a value that no setting has', async () => {
    const text = 'port = 1.5\nzone = "Mars"\nreaders = { a = 1 }\nday-start = 04:00:00';
    const problems = await problemsIn('hall.toml', text);
    const expected = [
      /hall\.toml: there is no setting "readers"/,
      /hall\.toml: port: a text,.* got 1\.5$/,
      /hall\.toml: day-start: a text,.* got the date or time 04:00:00\.000$/,
      /hall\.toml: zone: .*Mars/,
    ];
    expect(problems).to.have.length(expected.length);
    for (const [index, pattern] of expected.entries()) expect(problems[index]).to.match(pattern);
    const file = await readConfigFile(await write('hall.toml', 'port = 1.5'));
    expect(() => loadStoreUrl({}, {}, { file })).to.throw(/hall\.toml: port: a text/);
  });

  it('may have a boolean or a whole number of either sign for a text', async () => {
    const text =
      '{"approve-corrections":true,"log-level":"warn","insecure":[false],"port":0,"backlog-limit":-1}';
    const { values } = await readConfigFile(await write('a.json', text));
    expect(values).to.deep.equal({
      ...{ 'approve-corrections': ['true'], 'log-level': ['warn'], insecure: ['false'], port: ['0'] },
      'backlog-limit': ['-1'],
    });
  });

  it('is refused with the key and the allowed values for any other kind of value, also in a list', async () => {
    for (const value of ['1.5', '[[1]]', '{"a":1}', 'null', '9007199254740993', '["UTC", 1.5]', '[null]']) {
      const [problem, ...others] = await problemsIn('a.json', `{"zone":${value}}`);
      expect(problem, value).to.match(/^\S*a\.json: zone: a text, a whole number, true or false/);
      expect(others).to.deep.equal([]);
    }
  });

  it('is TOML by default', async () => {
    const file = await readConfigFile(await write('settings', 'zone = "UTC"'));
    expect(file).to.deep.equal({ name: folder.path('settings'), values: { zone: ['UTC'] }, mistakes: {} });
  });

  it('has no key from an object’s prototype', async () => {
    const [problem] = await problemsIn('a.json', '{"__proto__":"x"}');
    expect(problem).to.match(/there is no setting "__proto__"/);
  });

  it('is refused when it cannot be read', async () => {
    const message = await failureOf(readConfigFile(folder.path('missing.toml')), 'INVALID_OPTION');
    expect(message).to.match(/--config: \S*missing\.toml cannot be read: ENOENT/);
  });
});
