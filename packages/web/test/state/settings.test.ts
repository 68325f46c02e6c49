import { TallybookClientError, type Settings, type SettingState } from '@tallybook/client';
import { firstKeptDay as firstKeptDayOfService, parseKeep } from '@tallybook/domain/personal';
import { toDay } from '@tallybook/domain';
import { expect } from 'chai';
import { areFirstStepsDue, forgetFirstSteps, leaveFirstSteps } from '../../src/state/first-steps.js';
import { BrowserStore } from '../../src/state/kept.js';
import {
  firstKeptDay,
  refusedSetting,
  SettingsForm,
  untilRestarted,
  waitingSettings,
} from '../../src/state/settings.js';
import { MemoryStorage } from '../fixtures/memory-storage.js';
import { settingsOf } from '../fixtures/settings.js';
import { TODAY } from '../fixtures/stub-service.js';

describe('SettingsForm', () => {
  it('saves nothing that nobody has changed', () => {
    expect(new SettingsForm(settingsOf()).changes()).to.deep.equal({});
    const stored = {
      name: 'Northwood',
      zone: 'Europe/Berlin',
      dayStart: '04:00',
      readers: ['hid:a', 'hid:b'],
    };
    expect(new SettingsForm(settingsOf({ stored })).changes()).to.deep.equal({});
  });

  it('proposes a zone, but not in place of one that somebody has set', () => {
    const zoneOf = (settings: Settings): string => new SettingsForm(settings, 'Europe/Berlin').zone.value;
    expect(zoneOf(settingsOf())).to.equal('Europe/Berlin');
    expect(zoneOf(settingsOf({ stored: { zone: 'UTC' } }))).to.equal('UTC');
    expect(zoneOf(settingsOf({ given: { zone: 'Asia/Tokyo' } }))).to.equal('Asia/Tokyo');
    expect(new SettingsForm(settingsOf(), 'Europe/Berlin').changes()).to.deep.equal({
      zone: 'Europe/Berlin',
    });
  });

  it('saves what was changed, trimmed, and the default where a field is empty', () => {
    const form = new SettingsForm(settingsOf({ stored: { keep: '24months', backup: '/media/stick' } }));
    form.name.value = ' Northwood ';
    form.dayStart.value = '04:00';
    form.keep.value = '';
    form.backup.value = ' ';
    form.readers.value = ['hid:a'];
    expect(form.changes()).to.deep.equal({
      name: 'Northwood',
      dayStart: '04:00',
      keep: null,
      backup: null,
      readers: ['hid:a'],
    });
  });

  it('saves nothing that the file of the device gives', () => {
    const form = new SettingsForm(settingsOf({ given: { name: 'Northwood', readers: ['hid:a'] } }));
    expect([form.isGiven('name'), form.isGiven('zone')]).to.deep.equal([true, false]);
    form.name.value = 'Southwood';
    form.readers.value = [];
    expect(form.changes()).to.deep.equal({});
  });

  it('takes the reader of a service without settings for none', () => {
    const settings = settingsOf();
    const inUse = settings.settings.map((each) =>
      each.name === 'readers' ? { ...each, inUse: ['stdin:'] } : each,
    );
    const form = new SettingsForm({ ...settings, settings: inUse });
    expect([form.readers.value, form.changes()]).to.deep.equal([[], {}]);
  });

  it('knows which readers are left, and the order of the readers does not matter', () => {
    const form = new SettingsForm(settingsOf({ stored: { readers: ['hid:a', 'hid:b'] } }));
    form.readers.value = ['hid:b', 'hid:a'];
    expect([form.changes(), form.leftReaders()]).to.deep.equal([{}, []]);
    form.readers.value = ['hid:b', 'hid:c'];
    expect(form.changes()).to.deep.equal({ readers: ['hid:b', 'hid:c'] });
    expect(form.leftReaders()).to.deep.equal(['hid:a']);
  });
});

describe('settings that wait for the next start', () => {
  it('are those that are saved and not in use', () => {
    const settings = settingsOf({ stored: { name: 'Northwood', readers: ['hid:a'] } });
    expect(waitingSettings(settings)).to.deep.equal(['name', 'readers']);
    const inUse = settings.settings.map((each): SettingState => ({ ...each, inUse: each.stored }));
    expect(waitingSettings({ ...settings, settings: inUse })).to.deep.equal([]);
    const reset = inUse.map((each): SettingState => ({ ...each, source: 'stored', stored: null }));
    expect(waitingSettings({ ...settings, settings: reset.slice(0, 1) })).to.deep.equal(['name']);
  });
});

describe('a refused setting', () => {
  const refusal = (code: string, message: string): TallybookClientError =>
    new TallybookClientError('http', message, { status: 400, code });

  it('is the one that the service names', () => {
    expect(refusedSetting(refusal('INVALID_SETTING', 'backup: no such folder'))).to.equal('backup');
    expect(refusedSetting(refusal('STORE_UNAVAILABLE', 'backup: no'))).to.equal(undefined);
    expect(refusedSetting(new Error('backup: no'))).to.equal(undefined);
  });
});

describe('the first kept day', () => {
  for (const keep of ['30days', '1day', '12months', '24months', '1month', '10years', '100years'])
    it(`is the one of the service, with ${keep}`, () => {
      for (let today = TODAY; today < TODAY + 1_500; today++)
        expect(firstKeptDay(keep, today)).to.equal(firstKeptDayOfService(parseKeep(keep), toDay(today)));
    });

  it('is the very first one if all are kept', () => {
    expect([firstKeptDay('', TODAY), firstKeptDay('never', TODAY)]).to.deep.equal([0, 0]);
  });
});

describe('the first steps', () => {
  const store = (): BrowserStore => new BrowserStore(new MemoryStorage(), 'a:');
  const answer = (isAsked: boolean) => () => Promise.resolve({ isAsked });

  it('open until somebody has taken or left them', async () => {
    const browser = store();
    expect(await areFirstStepsDue(browser, answer(false))).to.equal(true);
    expect(await areFirstStepsDue(browser, answer(false))).to.equal(true);
    leaveFirstSteps(browser);
    expect(await areFirstStepsDue(browser, answer(false))).to.equal(false);
  });

  it('open again where a new service is set up at the same address', async () => {
    const browser = store();
    leaveFirstSteps(browser);
    forgetFirstSteps(browser);
    expect(await areFirstStepsDue(browser, answer(false))).to.equal(true);
  });

  for (const [what, read] of [
    ['somebody has chosen settings', answer(true)],
    ['the service stores none', () => Promise.resolve(undefined)],
  ] as const)
    it(`do not open, and are not asked about again, where ${what}`, async () => {
      const browser = store();
      expect(await areFirstStepsDue(browser, read)).to.equal(false);
      const asked = (): Promise<never> => Promise.reject(new Error('asked again'));
      expect(await areFirstStepsDue(browser, asked)).to.equal(false);
    });
});

describe('the wait for a restart', () => {
  it('ends with another start, not while the service is away or still the old one', async () => {
    const answers = [1, new Error('away'), 2];
    const read = (): Promise<number> => {
      const next = answers.shift();
      return typeof next === 'number' ? Promise.resolve(next) : Promise.reject(next ?? new Error('asked'));
    };
    await untilRestarted(read, 1, { signal: new AbortController().signal, pause: async () => undefined });
    expect(answers).to.deep.equal([]);
  });

  it('ends with the page', async () => {
    const ends = new AbortController();
    const pause = async (): Promise<void> => ends.abort();
    await untilRestarted(() => Promise.resolve(1), 1, { signal: ends.signal, pause });
  });
});
