import { expect } from 'chai';
import { loadConfig, settings, type Config, type Setting, type Settings } from '@tallybook/server';
import { problemsOf } from '../fixtures/problems-of.js';

type Given = readonly [flag: unknown, unknown, variable: string | undefined, unknown];
/** Values that are used as they are given. */
const same = (flag: string, variable: string): Given => [flag, flag, variable, variable];
/** Values of a list, in a variable with commas between them. */
const list = (flags: readonly string[], ...values: readonly string[]): Given => {
  return [flags, flags, values.join(' , '), values];
};

/** Each setting: a flag and its value, then a variable (the default without one) and its value. */
const given: Readonly<Record<Exclude<keyof Config, 'adapters' | 'stored'>, Given>> = {
  host: same('::1', '0.0.0.0'),
  port: ['0', 0, '9000', 9000],
  store: same('memory:', 'memory:'),
  use: list(['./reader.js', 'reader-package'], 'reader-package', '/opt/reader'),
  onDamage: same('repair', 'repair'),
  readers: list(['simulated:?every=1s', 'serial:/dev/ttyUSB0?name=door'], 'stdin:', 'simulated:'),
  indicators: list(
    ['gpio:/dev/gpiochip0?green=22&reader=door', 'gpio:/dev/gpiochip0?red=23&name=desk'],
    'gpio:/dev/gpiochip0?green=22',
    'gpio:/dev/gpiochip1?green=22&name=b',
  ),
  publishers: list(
    ['mqtt://broker.local/attendance', 'https://example.org/taps?secret-file=/etc/secret'],
    'mqtt://broker.local/attendance',
    'mqtt://broker.local/copy',
  ),
  upstream: [
    'http://centre.example.org/tally',
    'http://centre.example.org/tally/',
    'https://centre.example.org',
    'https://centre.example.org/',
  ],
  upstreamTokenFile: same('/etc/token', 'token'),
  isUpstreamInsecure: ['true', true, undefined, false],
  name: same('Fire station Northwood', 'Halle Süd'),
  zone: same('Europe/Berlin', 'Asia/Kolkata'),
  dayStart: same('04:00', '23:59'),
  repeatWindowMs: ['500ms', 500, '0', 0],
  clock: same('trusted', 'trusted'),
  approveCorrections: ['true', true, undefined, false],
  backlogLimit: ['0', 0, '1000000', 1_000_000],
  backupFolder: same('./backups', '/media/card'),
  backupEveryMs: ['12h', 43_200_000, '366d', 31_622_400_000],
  backupKeep: ['3', 3, '10000', 10_000],
  keep: ['24months', { count: 24, unit: 'months' }, '1year', { count: 1, unit: 'years' }],
  keepGuests: ['7days', { count: 7, unit: 'days' }, 'never', 'never'],
  journalLimit: ['1000', 1000, '10000000', 10_000_000],
  journalDays: ['1', 1, '3650', 3650],
  auditDays: ['0', 0, '36500', 36_500],
  maxSubscribers: ['5', 5, '100000', 100_000],
  maxStreamsPerAddress: ['11', 11, '100000', 100_000],
  maxStreamsPerSession: ['12', 12, '100000', 100_000],
  maxReadsPerSecond: ['13', 13, '100000', 100_000],
  maxWritesPerSecond: ['14', 14, '100000', 100_000],
  maxExportsPerMinute: ['15', 15, '100000', 100_000],
  maxExports: ['16', 16, '100', 100],
  maxConnections: ['6', 6, '100000', 100_000],
  maxConnectionsPerAddress: ['7', 7, '1', 1],
  allowedHosts: list(['taps.example.org', 'pi'], 'taps.example.org', 'pi'),
  tlsCert: same('cert.pem', 'cert.pem'),
  tlsKey: same('key.pem', 'key.pem'),
  isInsecure: ['true', true, 'true', true],
  trustedProxies: list(['127.0.0.1', 'fd00::/8'], '127.0.0.1', 'fd00::/8'),
  authHeader: ['Remote-User', 'remote-user', 'x-forwarded-user', 'x-forwarded-user'],
  authHeaderRole: same('viewer', 'kiosk'),
  authGroupsHeader: ['Remote-Groups', 'remote-groups', 'x-forwarded-groups', 'x-forwarded-groups'],
  authGroupRoles: list(['staff=viewer', 'Front Desk=desk'], 'staff=viewer', 'doors=kiosk'),
  logLevel: same('debug', 'silent'),
  publicUrl: [
    'https://tally.example.org/hall',
    'https://tally.example.org/hall/',
    'http://127.0.0.1:8080/',
    'http://127.0.0.1:8080/',
  ],
  oidcIssuer: same('https://id.example.org/realms/school', 'http://localhost:9000'),
  oidcClientId: same('tallybook', 'tally'),
  oidcClientSecretFile: same('/etc/tallybook/secret', 'secret'),
  oidcLabel: same('School', 'Club'),
  oidcUserClaim: same('email', 'nickname'),
  oidcRole: same('viewer', 'desk'),
  oidcGroupsClaim: same('groups', 'roles'),
  oidcGroupRoles: list(['office=desk', 'Front Desk=kiosk'], 'a=viewer', 'b=admin'),
};
const settingOf = (key: string): Setting => settings[key as keyof typeof settings];
const optionOf = ({ flag }: Setting): string =>
  flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The settings without what makes the devices. */
function valuesOf(...args: Parameters<typeof loadConfig>): Omit<Config, 'adapters'> {
  const { adapters: _, ...values } = loadConfig(...args);
  return values;
}

describe('loadConfig', () => {
  it('has defaults that keep to this machine and read standard input', () => {
    const local = { host: '127.0.0.1', isInsecure: false, trustedProxies: [], allowedHosts: [] };
    expect(loadConfig({}, {})).to.deep.include({
      ...local,
      readers: ['stdin:'],
      indicators: [],
      publishers: [],
    });
  });

  it('takes every setting from a flag', () => {
    const flags = Object.entries(given).map(([key, [text]]) => [optionOf(settingOf(key)), text]);
    const expected = Object.entries(given).map(([key, [, value]]) => [key, value]);
    expect(valuesOf(Object.fromEntries(flags) as Settings, {}, { use: [] })).to.deep.equal(
      Object.fromEntries(expected),
    );
  });

  it('takes every setting from the environment, URLs separated by commas', () => {
    const env = Object.entries(given).flatMap(([key, [, , text]]) =>
      text === undefined ? [] : [[settingOf(key).variable, text]],
    );
    const expected = Object.entries(given).map(([key, [, , , value]]) => [key, value]);
    expect(valuesOf({}, Object.fromEntries(env) as Record<string, string>, { use: [] })).to.deep.equal(
      Object.fromEntries(expected),
    );
  });

  it('splits URLs in a variable at a comma only if a scheme follows', () => {
    const { readers, indicators } = loadConfig(
      {},
      {
        TALLYBOOK_READERS: 'wiegand:gpiochip0?d0=1&d1=2&bits=26,34 ,\nstdin:,pcsc:ACR122U%2000',
        TALLYBOOK_INDICATORS: 'gpio:gpiochip0?green=22&red=23&active-low=green,red',
      },
    );
    expect(readers).to.deep.equal(['wiegand:gpiochip0?d0=1&d1=2&bits=26,34', 'stdin:', 'pcsc:ACR122U%2000']);
    expect(indicators).to.deep.equal(['gpio:gpiochip0?green=22&red=23&active-low=green,red']);
  });

  it('prefers the flag to the environment, and the default to an empty variable', () => {
    const config = loadConfig(
      { port: '1' },
      { TALLYBOOK_PORT: '2', TALLYBOOK_HOST: ' ', TALLYBOOK_READERS: '' },
    );
    expect(config.port).to.equal(1);
    expect(config.host).to.equal('127.0.0.1');
    expect(config.readers).to.deep.equal(['stdin:']);
  });

  it('refuses the names of adapters in a program that does not load them', () => {
    expect(problemsOf({ use: ['./reader.js'] })).to.deep.equal([
      '--use: this program loads no adapters by their names; give them to loadConfig',
    ]);
  });

  it('returns a frozen object', () => {
    const config = loadConfig({}, {});
    expect(Object.isFrozen(config)).to.equal(true);
    for (const urls of [config.readers, config.indicators, config.publishers]) {
      expect(Object.isFrozen(urls)).to.equal(true);
    }
  });

  it('reports all wrong settings at once, each with the allowed values', () => {
    const wrong: readonly (readonly [option: string, given: unknown, ...said: RegExp[]])[] = [
      ['host', 'two words', /.*127\.0\.0\.1.*two words/],
      ['port', '65536', /.*0 to 65535.*65536/],
      ['store', 'sqlite:x', /.*level:PATH, memory:.*sqlite:x/],
      ['upstream', 'https://ada:secret@centre.example.org', /the address of a centre has no login/],
      ['upstreamInsecure', 'maybe', /one of true, false; got "maybe"$/],
      ['zone', 'Mars/Olympus', /.*IANA.*Mars/],
      ['dayStart', '24:00', /.*HH:MM.*24:00/],
      ['repeatWindow', 'soon', /.*soon/],
      ['clock', 'sundial', /one of system, trusted; got "sundial"$/],
      ['backlog', '1000001', /.*0 to 1000000.*1000001/],
      ['backupEvery', '59s', /1m to 366d; got "59s"/],
      ['backupKeep', '0', /.*1 to 10000.*"0"/],
      ['keep', '24', /.*24months.*"24"/],
      ['journalLimit', '999', /.*1000 to 10000000.*"999"/],
      ['journalDays', '3651', /.*1 to 3650.*"3651"/],
      ['auditDays', '36501', /.*0 to 36500.*"36501"/],
      ['maxSubscribers', '0', /.*1 to 100000.*"0"/],
      ['maxStreamsPerAddress', '0', /.*1 to 100000.*"0"/],
      ['maxStreamsPerSession', '0', /.*1 to 100000.*"0"/],
      ['maxReadsPerSecond', '-1', /.*0 to 100000.*"-1"/],
      ['maxWritesPerSecond', '-1', /.*0 to 100000.*"-1"/],
      ['maxExportsPerMinute', '-1', /.*0 to 100000.*"-1"/],
      ['maxExports', '0', /.*1 to 100.*"0"/],
      ['maxConnections', '0', /.*1 to 100000.*"0"/],
      ['maxConnectionsPerAddress', '100001', /.*1 to 100000.*"100001"/],
      ['allowedHost', ['http://pi'], /.*without scheme.*http:\/\/pi/],
      ['insecure', 'yes', /one of true, false; got "yes"$/],
      [
        'trustedProxy',
        ['10.0.0.0/33', 'proxy.local'],
        /.*172\.16\.0\.0\/12.*10\.0\.0\.0\/33/,
        /.*proxy\.local/,
      ],
      ['authHeader', 'Cookie', /.*Remote-User; got "Cookie"/],
      ['authHeaderRole', 'root', /one of device, station, kiosk, viewer, desk, admin; got "root"$/],
      ['authGroupsHeader', 'Cookie', /.*Remote-User; got "Cookie"/],
      [
        'authGroupRole',
        ['staff', 'staff=root'],
        /GROUP=ROLE such as staff=viewer; got "staff"$/,
        /one of device, station, kiosk, viewer, desk, admin; got "root"$/,
      ],
      ['logLevel', 'loud', /.*fatal, error.*loud/],
      ['reader', ['carrier-pigeon:', 'stdin:?speed=1'], /.*carrier-pigeon/, /.*speed/],
      ['indicator', ['drum:'], /.*drum.*allowed are .*gpio/],
      [
        'publish',
        ['pigeon:', 'mqtt://user:secret@broker.local/attendance'],
        /.*pigeon.*allowed are mqtt, mqtts, https, http/,
        /.*password/,
      ],
    ];
    const found = problemsOf(Object.fromEntries(wrong) as Settings);
    const expected = wrong.flatMap(([option, , ...said]) => said.map((words) => [option, words] as const));
    expect(found).to.have.length(expected.length);
    for (const [index, [option, words]] of expected.entries()) {
      const [, flag = '', problem = ''] = /^--([a-z-]+): (.*)$/.exec(found[index] ?? '') ?? [];
      expect(flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())).to.equal(option);
      expect(problem).to.match(words);
    }
  });

  for (const [key, { flag, needs }] of Object.entries(settings)) {
    if (needs.length === 0) continue;
    it(`refuses --${flag} without --${needs.join(' and --')}`, () => {
      const [text] = given[key as keyof typeof given];
      expect(problemsOf({ [optionOf(settingOf(key))]: text })).to.include.members(
        needs.map((other) => `--${flag}: only together with --${other}`),
      );
    });
  }

  it('refuses a centre by http on another machine, unless that is allowed', () => {
    const upstreamTokenFile = 'token';
    const far = { upstream: 'http://centre.example.org', upstreamTokenFile };
    expect(problemsOf(far)).to.have.length(1);
    expect(problemsOf(far)[0]).to.match(/^--upstream: http: is for this machine only .*use https:/);
    expect(loadConfig({ ...far, upstreamInsecure: 'true' }, {}).upstream).to.equal(`${far.upstream}/`);
    loadConfig({ upstream: 'http://127.0.0.1:8080', upstreamTokenFile }, {});
  });

  it('refuses invalid networks', () => {
    const networks = [
      '',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'x/10.0.0.0/8',
      '%10.0.0.1',
      '10.0.0/8',
      '::1/129',
      'fe80::1%eth0',
      '10.0.0.0/-1',
      '0x1/8',
    ];
    for (const network of networks)
      expect(problemsOf({ trustedProxy: [network] }), network).to.have.length(1);
  });

  it('refuses to repair a database, which has its own tools', () => {
    const store = 'postgres://ada@db/hall';
    expect(problemsOf({ store, onDamage: 'repair' })).to.have.lengthOf(1);
    expect(problemsOf({ store, onDamage: 'repair' })[0]).to.match(
      /^--on-damage: repair is for a store on a disk/,
    );
    expect(loadConfig({ store, onDamage: 'refuse' }, {}).onDamage).to.equal('refuse');
  });

  it('refuses a name of a header with an invalid character', () => {
    for (const authHeader of ['Remote User', 'Remote-User:', 'remote-user\n', '-remote', '_remote', 'rémote'])
      expect(problemsOf({ authHeader, trustedProxy: ['10.0.0.7'] }), authHeader).to.have.length(1);
  });

  it('accepts networks of every length, of both families', () => {
    const trustedProxy = ['10.0.0.0/8', '172.16.0.0/12', '192.0.2.1/32', '::/0', 'fd00::/128', '192.0.2.2'];
    expect(loadConfig({ trustedProxy }, {}).trustedProxies).to.deep.equal(trustedProxy);
  });

  it('refuses numbers that are not plain digits', () => {
    for (const port of ['', ' ', '-1', '+80', '8e1', '0x50', '80.0', '١٢', 'NaN']) {
      expect(problemsOf({ port }), port).to.have.length(1);
    }
  });

  it('refuses a repeat window longer than a day', () => {
    expect(problemsOf({ repeatWindow: '2d' })[0]).to.match(/86400000/);
  });

  it('refuses more than a year between backups, and a text that is no time', () => {
    for (const backupEvery of ['367d', '59s', '0', 'daily']) {
      expect(problemsOf({ backupEvery })[0], backupEvery).to.match(/^--backup-every: /);
    }
    expect(loadConfig({ backupEvery: '1m' }, {}).backupEveryMs).to.equal(60_000);
  });

  it('refuses two readers of one name, with advice to name them', () => {
    const [problem] = problemsOf({ reader: ['serial:/dev/a?name=door', 'serial:/dev/b?name=door'] });
    expect(problem).to.match(/dev\/a.*dev\/b.*door.*name=/);
  });

  it('refuses two readers over HTTP of one name, which is in their paths', () => {
    const [problem] = problemsOf({ reader: ['http:door', 'http:door?format=hex'] });
    expect(problem).to.match(/both named "door"; write another name after one http:$/);
    const [other] = problemsOf({ reader: ['http:door', 'serial:/dev/b?name=door'] });
    expect(other).to.match(/both named "door"; give one of them name=…$/);
  });

  it('refuses two indicators, and two publishers, of one name', () => {
    const indicator = ['gpio:/dev/gpiochip0?green=1&name=lamp', 'gpio:/dev/gpiochip0?green=2&name=lamp'];
    expect(problemsOf({ indicator })[0]).to.match(
      /^--indicator: .*both named "lamp"; give one of them name=/,
    );
    const publish = ['mqtt://a.local/x?name=home', 'mqtt://b.local/x?name=home'];
    expect(problemsOf({ publish })[0]).to.match(/^--publish: .*both named "home"; give one of them name=/);
  });

  it('refuses two that are the same client for a broker', () => {
    const suspect =
      /the broker [bB]:1883 would take "mqtt:\/\/[^"]+" and "[^"]+" for one client; give one of them client=/;
    const door = 'mqtt://b/door?name=door';
    expect(problemsOf({ reader: [door, 'mqtt://B:1883/door?name=gate'] })[0])
      .to.match(suspect)
      .and.match(/^--reader: /);
    expect(problemsOf({ reader: ['mqtts://b/door', 'mqtts://b/door?name=gate'] })[0]).to.match(
      /the broker b:8883 would take /,
    );
    const reader = ['mqtt://b/door?client=me'];
    const indicator = ['mqtt://b/lamp?client=me'];
    const publish = ['mqtt://b/home?client=me'];
    expect(problemsOf({ reader, indicator })[0])
      .to.match(suspect)
      .and.match(/^--indicator: /);
    expect(problemsOf({ reader, publish })[0])
      .to.match(suspect)
      .and.match(/^--publish: /);
  });

  it('accepts several different clients at one broker, and one client at several brokers', () => {
    const reader = [
      'mqtt://b/door',
      'mqtt://b/door?name=twin&client=twin',
      'mqtt://b/gate',
      'mqtt://b:1884/gate?name=other&client=twin',
      'mqtt://c/gate?name=third&client=twin',
    ];
    const indicator = ['mqtt://b/door', 'mqtt://b/door?name=lamp'];
    const publish = ['mqtt://b/door', 'mqtt://b/door?name=home'];
    expect(loadConfig({ reader, indicator, publish }, {}).readers).to.deep.equal(reader);
  });

  it('refuses an indicator at an unknown reader, and lists the readers', () => {
    const reader = ['stdin:?name=desk', 'simulated:?name=door'];
    const indicator = ['gpio:/dev/gpiochip0?green=22&reader=dor'];
    const [problem] = problemsOf({ reader, indicator });
    expect(problem).to.match(/^--indicator: .*there is no reader "dor"; allowed are "desk", "door"$/);
  });

  it('accepts an indicator at a device behind a reader: its name has the reader before a slash', () => {
    const reader = ['mqtt://b/tags?name=doors&format=json&field=uid&reader-field=hostname'];
    const gpio = (name: string): string => `gpio:/dev/gpiochip0?green=22&reader=${name}`;
    expect(loadConfig({ reader, indicator: [gpio('doors/front')] }, {}).indicators).to.have.length(1);
    expect(problemsOf({ reader, indicator: [gpio('doorsfront')] })).to.have.length(1);
  });

  it('refuses store paths that are missing or too many', () => {
    for (const store of ['level:', 'memory:/tmp', 'level', '', 'constructor:x']) {
      expect(problemsOf({ store }), store).to.have.length(1);
    }
  });
});
