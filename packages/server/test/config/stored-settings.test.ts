import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { loadConfig, type Config, type FileSettings, type Settings } from '@tallybook/server';
import {
  readSettingsIn,
  readStoredSettings,
  storable,
  storedNames,
  writeSettings,
  type StoredName,
  type StoredTexts,
} from '../../src/config/stored-settings.js';
import { leaveOut } from '../fixtures/leave-out.js';
import { RecordedFiles } from '../fixtures/disk/recorded-files.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

/** A value of each setting, as a flag, a variable, a key of the file, stored, and by default. */
const values: Readonly<Record<StoredName, readonly [flag: string, ...others: (string | undefined)[]]>> = {
  name: ['by flag', 'by variable', 'by file', 'stored', undefined],
  zone: ['Europe/Berlin', 'Asia/Kolkata', 'Asia/Tokyo', 'America/Lima', 'UTC'],
  dayStart: ['01:00', '02:00', '03:00', '04:00', '00:00'],
  keep: ['1years', '2years', '3years', '4years', undefined],
  keepGuests: ['1days', '2days', '3days', '4days', '30days'],
  readers: ['simulated:?name=a', 'simulated:?name=b', 'simulated:?name=c', 'simulated:?name=d', 'stdin:'],
  backup: ['/a', '/b', '/c', '/d', undefined],
};
const flagOf: Readonly<Record<StoredName, string>> = {
  ...{ name: 'name', zone: 'zone', dayStart: 'day-start', keep: 'keep', keepGuests: 'keep-guests' },
  ...{ readers: 'reader', backup: 'backup' },
};

describe('stored settings', () => {
  const folder = temporaryFolder();
  const store = (): string => `level:${folder.path()}`;
  const write = (value: unknown): Promise<void> =>
    writeFile(folder.path('settings.json'), typeof value === 'string' ? value : JSON.stringify(value));

  interface Given {
    readonly flags?: Settings;
    readonly env?: Readonly<Record<string, string>>;
    readonly file?: FileSettings;
  }

  function load({ flags = {}, env = {}, file }: Given = {}): { config: Config; warnings: string[] } {
    const warnings: string[] = [];
    const config = loadConfig({ store: store(), ...flags }, env, {
      ...{ readStored: readStoredSettings, file, warn: (problem) => warnings.push(problem) },
    });
    return { config, warnings };
  }

  it('have no reader as the default where nobody can type, and those of the store before that', async () => {
    const options = { readStored: readStoredSettings, hasNoInput: true };
    const readers = (): readonly string[] => loadConfig({ store: store() }, {}, options).readers;
    expect(readers()).to.deep.equal([]);
    await write({ readers: ['simulated:'] });
    expect(readers()).to.deep.equal(['simulated:']);
  });

  for (const name of storedNames) {
    it(`are used for ${name} after flags, variables and the file, and before the default`, async () => {
      const [byFlag, byVariable = '', byFile = '', stored, byDefault] = values[name];
      const flag = flagOf[name];
      const camel = flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      const variable =
        name === 'readers' ? 'TALLYBOOK_READERS' : `TALLYBOOK_${flag.toUpperCase().replace('-', '_')}`;
      const ofFlag: Given = { flags: { [camel]: name === 'readers' ? [byFlag] : byFlag } };
      const ofVariable: Given = { env: { [variable]: byVariable } };
      const ofFile: Given = { file: { name: 'a.toml', values: { [flag]: [byFile] } } };
      await write({ [name]: name === 'readers' ? [stored] : stored });

      const inUse = (given: Given): unknown => load(given).config.stored?.inUse[name];
      const where = (place: string, source: string, text: string): object => ({
        where: place,
        source,
        texts: [text],
      });
      expect(inUse({ ...ofFlag, ...ofVariable, ...ofFile })).to.deep.equal(
        where(`--${flag}`, 'given', byFlag),
      );
      expect(inUse({ ...ofVariable, ...ofFile })).to.deep.equal(where(variable, 'given', byVariable));
      expect(inUse(ofFile)).to.deep.equal(where(`a.toml: ${flag}`, 'given', byFile));
      expect(inUse({})).to.deep.equal(where(`settings.json: ${name}`, 'stored', stored ?? ''));
      // What is in use is what the configuration has.
      const inConfig = load().config[storable[name]];
      const asText = loadConfig(ofFlag.flags, {})[storable[name]];
      expect(inConfig).to.not.deep.equal(asText);
      expect(inConfig).to.deep.equal(
        loadConfig({ [camel]: name === 'readers' ? [stored] : stored }, {})[storable[name]],
      );
      await write({});
      expect(inUse({})).to.deep.equal({
        ...{ where: `--${flag}`, source: 'default' },
        texts: byDefault === undefined ? [] : [byDefault],
      });
    });
  }

  it('are none without a file, and without a folder', async () => {
    expect(load()).to.deep.include({ warnings: [] });
    expect(readSettingsIn(folder.path())).to.deep.include({ isThere: false, problems: [] });
    expect(readSettingsIn(folder.path('missing', 'store'))).to.deep.include({ isThere: false, problems: [] });
  });

  it('are not for a store in memory or in a database, nor for an app that does not ask', () => {
    for (const other of ['memory:', 'postgres://localhost/tallybook'])
      expect(load({ flags: { store: other } }).config.stored, other).to.equal(undefined);
    expect(loadConfig({ store: store() }, {}).stored).to.equal(undefined);
  });

  const wrong: readonly (readonly [what: string, value: unknown, warning: RegExp])[] = [
    ['a zone that does not exist', { zone: 'Mars/Olympus' }, /^zone: ignored: .*Mars/],
    ['an empty text', { zone: '' }, /^zone: ignored: IANA time zone of the days; got ""$/],
    ['a time that is none', { dayStart: '24:00' }, /^dayStart: ignored: /],
    ['a number', { keep: 24 }, /settings\.json: keep: ignored, because it is not a text$/],
    ['a limit without a unit', { keepGuests: '30' }, /^keepGuests: ignored: /],
    ['a name of several lines', { name: 'a\nb' }, /^name: ignored: 1 to 80 characters/],
    ['a name that is too long', { name: 'x'.repeat(81) }, /^name: ignored: 1 to 80 characters/],
    ['a relative folder', { backup: 'backups' }, /^backup: ignored: the whole path/],
    ['an unknown reader', { readers: ['teleport:'] }, /^readers: ignored: /],
    ['two readers of one name', { readers: ['stdin:', 'stdin:'] }, /^readers: ignored: .*both named/],
    ['no readers', { readers: [] }, /settings\.json: readers: ignored, because it is not a text$/],
    ['one reader that is not in a list', { readers: 'stdin:' }, /settings\.json: readers: ignored, because/],
    [
      'an unknown setting',
      { host: '0.0.0.0' },
      /settings\.json: host: ignored, because there is no such setting$/,
    ],
    ['what is not JSON', '{"zone":', /settings\.json: ignored, because it cannot be read: /],
    ['an empty file', '', /settings\.json: ignored, because it cannot be read: /],
    ['a list', '["zone"]', /settings\.json: ignored, because it is not a JSON object$/],
  ];
  for (const [what, value, warning] of wrong) {
    it(`are ignored with a warning if somebody has written ${what}`, async () => {
      await write(value);
      const { config, warnings } = load();
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include('settings.json: ');
      expect(warnings[0]?.replace(/^settings\.json: /, '')).to.match(warning);
      const { stored: _, ...others } = config;
      const { stored: __, ...expected } = load({ flags: { store: store() } }).config;
      expect(others).to.deep.equal(expected);
      expect({ ...others, store: '' }).to.deep.equal({ ...loadConfig({}, {}), store: '' });
    });
  }

  it('keep the right ones beside a wrong one', async () => {
    await write({ zone: 'Mars', dayStart: '04:00' });
    const { config, warnings } = load();
    expect([config.zone, config.dayStart, warnings.length]).to.deep.equal(['UTC', '04:00', 1]);
  });

  it('are not looked at where a flag wins: a wrong one is no warning then', async () => {
    await write({ zone: 'Mars' });
    expect(load({ flags: { zone: 'Asia/Tokyo' } }).warnings).to.deep.equal([]);
  });

  it('are ignored for readers on which a light in the file does not fit', async () => {
    await write({ readers: ['simulated:?name=gate'] });
    const flags: Settings = { indicator: ['gpio:/dev/gpiochip0?green=22&reader=stdin'] };
    const { config, warnings } = load({ flags });
    expect(config.readers).to.deep.equal(['stdin:']);
    expect(warnings[0]).to.match(/^settings\.json: readers: ignored: .*there is no reader "stdin"/);
  });

  it('may be the readers that a light in the file needs', async () => {
    await write({ readers: ['simulated:?name=gate'] });
    const { config, warnings } = load({
      flags: { indicator: ['gpio:/dev/gpiochip0?green=22&reader=gate'] },
    });
    expect([config.readers, warnings]).to.deep.equal([['simulated:?name=gate'], []]);
  });

  it('stay those of a later version when they are written again', async () => {
    await write({ zone: 'Asia/Tokyo', curfew: { from: '22:00' } });
    const { texts, others } = readSettingsIn(folder.path());
    await writeSettings({ folder: folder.path(), others, texts: { ...texts, name: ['Hall'] } });
    expect(JSON.parse(await readFile(folder.path('settings.json'), 'utf8'))).to.deep.equal({
      ...{ name: 'Hall', zone: 'Asia/Tokyo', curfew: { from: '22:00' } },
    });
  });

  describe('when they are written', () => {
    const texts: StoredTexts = { zone: ['Asia/Tokyo'], readers: ['stdin:', 'simulated:'] };
    const writeThem = (): Promise<void> => writeSettings({ folder: folder.path(), texts, others: {} });

    it('are durable before they replace the file, and the file before they count as written', async function () {
      leaveOut(this, process.platform === 'linux' ? undefined : 'only Linux says what a descriptor leads to');
      using files = await RecordedFiles.record();
      await writeThem();
      expect(files.steps).to.deep.equal([
        ['sync', folder.path('.settings.json.unfinished')],
        ['rename', folder.path('settings.json')],
        ['sync', folder.path()],
      ]);
    });

    it('are the old ones if power is lost before the file is replaced, and the new ones after the next write', async () => {
      await write({ zone: 'America/Lima' });
      await writeFile(folder.path('.settings.json.unfinished'), '{"zone":"Asia/T');
      expect(load()).to.deep.include({ warnings: [] });
      expect(load().config.zone).to.equal('America/Lima');
      await writeThem();
      expect(load().config.zone).to.equal('Asia/Tokyo');
      expect(await readdir(folder.path())).to.deep.equal(['settings.json']);
    });

    it('are the old ones if they cannot be written', async () => {
      await write({ zone: 'America/Lima' });
      await mkdir(folder.path('.settings.json.unfinished', 'in-the-way'), { recursive: true });
      const failed = await writeThem().then(
        () => false,
        () => true,
      );
      expect([failed, load().config.zone]).to.deep.equal([true, 'America/Lima']);
    });

    it('are for their owner only', async () => {
      await write({});
      await writeThem();
      expect((await stat(folder.path('settings.json'))).mode & 0o777).to.equal(0o600);
    });
  });
});
