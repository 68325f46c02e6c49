import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from 'chai';
import {
  REGISTRATION_VERSION,
  type IdentityRegistration,
  type ReaderRegistration,
  type StorageRegistration,
} from '@tallybook/devices';
import { Timekeeper } from '@tallybook/domain';
import type { IdentityProvider } from '@tallybook/domain/access';
import { SimulatedIdSource } from '@tallybook/readers';
import { createContainer, loadConfig, runCommandLine, serviceId } from '@tallybook/server';
import { MemoryStorage } from '@tallybook/store-memory';
import { ManualClock } from '@tallybook/testing';
import { checkRegistration } from '../../src/config/adapters.js';
import {
  createIdentityProvider,
  identityRulesOf,
  warnOfIdentity,
} from '../../src/wiring/identity-provider.js';
import { recordedLog } from '../fixtures/logged.js';
import { callBuilt } from '../fixtures/processes/built-call.js';
import { call, callWith } from '../fixtures/processes/called.js';
import { CaughtOutput } from '../fixtures/processes/caught-output.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

/** A registration of a reader as text of a module. */
const moduleOf = (fields: object): string =>
  `export const adapters = [{ make() {}, ...${JSON.stringify({ kind: 'reader', version: 1, scheme: 'bell', usage: 'bell:ROOM', ...fields })} }];\n`;

describe('Third-party adapters', () => {
  const folder = temporaryFolder();

  async function written(name: string, text: string): Promise<string> {
    const path = folder.path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  it('are listed by the doctor with their package, and their URL is in the help', async () => {
    const path = await written('bell.mjs', moduleOf({ settings: { ROOM: { help: 'where it is' } } }));
    const { exitCode, output } = await call('doctor', '--use', path);
    expect(exitCode).to.equal(0);
    expect(output).to.match(
      /^Third-party adapters\n {2}reader bell, from .*bell\.mjs\n {4}bell:ROOM\n {4}ROOM: where it is \(default: none\)\n\n/,
    );
    const { output: help } = await call('serve', `--use=${path}`, '--help');
    expect(help).to.match(/\bbell:ROOM\b/);
  });

  it('are in the survey for programs too', async () => {
    const path = await written('bell.mjs', moduleOf({}));
    const parts = JSON.parse((await call('doctor', '--use', path, '--json')).output) as object[];
    expect(parts.at(-1)).to.deep.include({
      title: 'Third-party adapters',
      adapters: [{ kind: 'reader', scheme: 'bell', usage: 'bell:ROOM', settings: {}, from: path, found: [] }],
    });
  });

  it('may be several in one package, and one that fails to look for devices does not stop the doctor', async () => {
    const failing = `{ ...bell, scheme: 'gong', doctor: () => Promise.reject(new Error('no gong')) }`;
    const path = await written(
      'both.mjs',
      `${moduleOf({}).replace('export const adapters', 'const [bell]')}export const adapters = [bell, ${failing}];\n`,
    );
    expect((await call('doctor', '--use', path)).output).to.match(
      /\n {2}reader bell, from .*\n {2}reader gong, from .*\n {4}bell:ROOM\n {4}it could not look: no gong\n/s,
    );
  });

  it('are looked for beside the settings file that names them, then in the working folder', async () => {
    const settings = await written('etc/tallybook.toml', 'use = ["./bell.mjs", "ringing"]\n');
    await written('etc/bell.mjs', moduleOf({}));
    await written('etc/node_modules/ringing/main.js', moduleOf({ scheme: 'ring' }));
    await written(
      'etc/node_modules/ringing/package.json',
      '{ "name": "ringing", "type": "module", "exports": "./main.js" }',
    );
    const { output } = await callWith({ TALLYBOOK_CONFIG: settings }, 'doctor');
    expect(output).to.include('reader bell, from ./bell.mjs').and.include('reader ring, from ringing');
    const none = await written('etc/none.toml', 'use = ["./none.mjs"]\n');
    const { errors } = await callWith({ TALLYBOOK_CONFIG: none }, 'doctor');
    expect(errors).to.equal(
      `tallybook: ${none}: use: there is no file or package "./none.mjs" in ${folder.path('etc')} or ${process.cwd()}\n`,
    );
  });

  it('are loaded from the folder of a package, by what the package exports', async () => {
    await written('bell/lib/main.js', moduleOf({}));
    await written(
      'bell/package.json',
      '{ "name": "bell", "type": "module", "exports": { ".": { "default": "./lib/main.js" } } }',
    );
    expect((await call('doctor', '--use', folder.path('bell'))).output).to.include('reader bell, from ');
  });

  const refused: Readonly<Record<string, readonly [text: string, reason: string]>> = {
    'exports no list of them': [
      'export const bell = 1;',
      'it exports no list of registrations with the name adapters',
    ],
    'has something else in its list': [
      'export const adapters = [{ ring: 1 }];',
      'it is not the registration of an adapter; got an object with ring',
    ],
    'is of another major version': [
      moduleOf({ version: REGISTRATION_VERSION + 1 }),
      'the reader "bell" was built for version 2 of registrations; this program takes version 1',
    ],
    'is of an unknown kind': [
      moduleOf({ kind: 'bell' }),
      'the kind of an adapter is one of reader, indicator, publisher, storage, identity; got "bell"',
    ],
    'has a scheme that the program has': [
      moduleOf({ scheme: 'serial' }),
      'there is a reader with the scheme "serial" already',
    ],
    'has a scheme that no URL can have': [
      moduleOf({ scheme: 'Bell!' }),
      'the scheme of a reader is a lower-case letter, then lower-case letters, digits, +, . and -; got "Bell!"',
    ],
    'has a setting without a help': [
      moduleOf({ settings: { ROOM: {} } }),
      'the setting "ROOM" of the reader "bell" has no help',
    ],
    'has a setting that no flag can have': [
      moduleOf({ kind: 'identity', settings: { 'bell-Hall 1': { help: 'a hall' } } }),
      'the settings of the identity "bell" begin with bell-, then lower-case letters, digits and -; got "bell-Hall 1"',
    ],
    'has a setting of the program': [
      moduleOf({ kind: 'identity', scheme: 'tls', settings: { 'tls-cert': { help: 'a certificate' } } }),
      'an identity provider has the setting --tls-cert, which is taken',
    ],
    'does not say how its URLs look': [
      moduleOf({ usage: null }),
      'the reader "bell" has no usage or no make',
    ],
  };
  for (const [what, [text, reason]] of Object.entries(refused)) {
    it(`are refused if one ${what}`, async () => {
      const path = await written('bell.mjs', text);
      expect(await call('serve', '--use', path)).to.deep.equal({
        exitCode: 2,
        output: '',
        errors: `tallybook: --use: ${path}: ${reason}\n`,
      });
    });
  }

  const failing: Readonly<
    Record<string, readonly [kind: string, make: string, flags: readonly string[], reason: string]>
  > = {
    reader: [
      'reader',
      'throw new Error("it rings\\nfor ever")',
      ['--reader', 'bell:hall'],
      '--reader: the reader "bell:hall": the adapter "bell" failed: it rings',
    ],
    'reader that is nothing': [
      'reader',
      '',
      ['--reader', 'bell:hall'],
      '--reader: the reader "bell:hall": the adapter "bell" failed: it made nothing',
    ],
    storage: [
      'storage',
      'throw new Error("it is full")',
      ['--store', 'bell:hall'],
      '--store: the adapter "bell" failed: it is full',
    ],
    'identity provider': [
      'identity',
      'throw new Error("nobody is in")',
      ['--store', 'memory:', '--port', '0', '--public-url', 'https://tally.example/', '--bell-hall', 'x'],
      'the adapter "bell" failed: nobody is in',
    ],
  };
  for (const [what, [kind, make, flags, reason]] of Object.entries(failing)) {
    it(`end the start with one line if one fails to make: ${what}`, async () => {
      const settings = kind === 'identity' ? { 'bell-hall': { help: 'a hall' } } : {};
      const text = moduleOf({ kind, settings }).replace('make() {}', `make() { ${make} }`);
      const { exitCode, errors } = await call('serve', '--use', await written('bell.mjs', text), ...flags);
      expect({ exitCode, errors }).to.deep.equal({ exitCode: 2, errors: `tallybook: ${reason}\n` });
    });
  }

  it('do not stop the help and the version if they cannot be loaded, or the settings file cannot be read', async () => {
    const missing = folder.path('missing.toml');
    const problem = `tallybook: --config: ${missing} cannot be read: `;
    for (const args of [['--help'], ['help', 'user', 'add'], ['serve', '--help'], ['--version']]) {
      const { exitCode, output, errors } = await callWith({ TALLYBOOK_CONFIG: missing }, ...args);
      expect([exitCode, output === ''], args.join(' ')).to.deep.equal([0, false]);
      expect(errors).to.match(new RegExp(`^${problem}.*\n$`));
    }
    const { exitCode, output, errors } = await call('serve', '--use', './missing.mjs', '--help');
    expect([exitCode, output === '']).to.deep.equal([0, false]);
    expect(errors).to.match(/^tallybook: --use: there is no file or package ".\/missing.mjs"/);
    const used = await callWith({ TALLYBOOK_CONFIG: missing }, 'user', 'list');
    expect([used.exitCode, used.output]).to.deep.equal([2, '']);
    expect(used.errors).to.match(new RegExp(`^${problem}.*\n$`));
  });

  it('are refused if one never finishes loading', async () => {
    const path = await written('stuck.mjs', 'await new Promise(() => undefined);\n');
    for (const command of ['serve', 'doctor']) {
      // In a process of its own: in this one, something is always left to wait for.
      const { exitCode, errors } = await callBuilt({ PATH: process.env['PATH'] }, [command, '--use', path]);
      expect({ exitCode, errors }).to.deep.equal({
        exitCode: 2,
        errors: `tallybook: --use: ${path}: it never finishes loading, because its top-level await never settles\n`,
      });
    }
  });

  it('are refused by the doctor as by serve if the settings file names no text', async () => {
    const settings = await written('half.toml', 'use = [1.5]\n');
    for (const command of ['serve', 'doctor']) {
      const { exitCode, errors } = await callWith({ TALLYBOOK_CONFIG: settings }, command);
      expect(exitCode, command).to.equal(2);
      expect(errors, command).to.match(/^tallybook: .*half\.toml: use: a text, .*; got 1\.5\n$/);
    }
  });

  it('are loaded from the folder of a package that has only a main file', async () => {
    await written('old/main.mjs', moduleOf({}));
    await written('old/package.json', '{ "name": "old", "main": "./main.mjs" }');
    expect((await call('doctor', '--use', folder.path('old'))).output).to.include('reader bell, from ');
  });

  it('do not stop the doctor if one looks in a wrong way', async () => {
    const text = moduleOf({}).replace('make() {}', 'make() {}, doctor() { throw new Error("no gong"); }');
    expect((await call('doctor', '--use', await written('bell.mjs', text))).output).to.include(
      '\n    it could not look: no gong\n',
    );
  });

  it('are refused if one throws while it is loaded or read, or is named twice', async () => {
    const throwing = await written('throwing.mjs', 'throw new Error("out of order\\nat all");\n');
    const entry = '{ get kind() { throw new Error("no entry"); } }';
    const closed = await written('closed.mjs', `export const adapters = [${entry}];\n`);
    const bell = await written('bell.mjs', moduleOf({}));
    const errorsOf = async (...args: readonly string[]): Promise<string> => (await call(...args)).errors;
    expect(await errorsOf('serve', '--use', throwing)).to.equal(
      `tallybook: --use: ${throwing} cannot be loaded: out of order\n`,
    );
    expect(await errorsOf('serve', '--use', closed)).to.equal(
      `tallybook: --use: ${closed} cannot be loaded: no entry\n`,
    );
    expect(await errorsOf('serve', '--use', bell, '--use', bell)).to.equal(
      `tallybook: --use: ${bell}: there is a reader with the scheme "bell" already\n`,
    );
  });
});

describe('A program with adapters of its own', () => {
  const bell: ReaderRegistration = {
    kind: 'reader',
    version: REGISTRATION_VERSION,
    scheme: 'bell',
    usage: 'bell:ROOM',
    make: ({ path }, { clock }) => new SimulatedIdSource({ name: path }, clock),
    health: ({ name }) => ({ status: 'warn', detail: `somebody rings in ${name}` }),
  };

  it('gives them to the command line', async () => {
    using output = new CaughtOutput(process.stdout);
    expect(await runCommandLine(['doctor'], { use: [bell] })).to.equal(0);
    expect(output.text).to.include('  reader bell, from the program itself\n    bell:ROOM\n');
  });

  it('gives them to the settings, and what they say of their devices is in the health', async () => {
    const settings = { reader: ['bell:hall'], store: 'memory:', port: '0', logLevel: 'silent' };
    const container = createContainer(loadConfig(settings, {}, { use: [bell] }));
    await using server = container.get(serviceId('server'));
    await server.open();
    const { parts } = await container.get(serviceId('health')).read();
    expect(parts.find(({ part }) => part === 'reader-bell')).to.deep.equal({
      ...{ part: 'reader-bell', status: 'warn' },
      items: [{ name: 'hall', status: 'warn', detail: 'somebody rings in hall' }],
    });
  });

  it('may serve with a storage of its own', async () => {
    const heap: StorageRegistration = {
      ...{ kind: 'storage', version: REGISTRATION_VERSION, scheme: 'heap', usage: 'heap:NAME' },
      make: (_url, { journal, stamps }) => new MemoryStorage({ journal, stamps }),
      health: () => ({ status: 'warn', detail: 'all of it is in memory' }),
    };
    const settings = { reader: ['simulated:?every=1d'], store: 'heap:hall', port: '0', logLevel: 'silent' };
    const config = loadConfig(settings, {}, { use: [heap] });
    const container = createContainer(config);
    expect(container.get(serviceId('storage'))).to.be.an.instanceOf(MemoryStorage);
    await using server = container.get(serviceId('server'));
    await server.open();
    const { parts } = await container.get(serviceId('health')).read();
    expect(parts).to.deep.include({ part: 'storage-heap', status: 'warn', detail: 'all of it is in memory' });
    expect(() => loadConfig({ ...settings, onDamage: 'repair' }, {}, { use: [heap] })).to.throw(
      '--on-damage: repair is for a store on a disk; a third-party storage is repaired by its own means',
    );
    expect(() => loadConfig(settings, {})).to.throw(
      /a store is one of level:PATH, memory:, .*; got "heap:hall"/,
    );
  });

  describe('for identities', () => {
    const made: unknown[] = [];
    const badge: IdentityRegistration = {
      ...{ kind: 'identity', version: REGISTRATION_VERSION, scheme: 'badge', usage: '--badge-desk URL' },
      settings: {
        'badge-desk': { help: 'desk that knows people' },
        'badge-colour': { help: 'colour', default: 'red' },
      },
      make: (values, { redirectUrl }) => {
        made.push({ ...values, redirectUrl });
        return { begin: () => Promise.reject(new Error()) } as unknown as IdentityProvider;
      },
      rules: () => ({ role: 'viewer', groupRoles: {} }),
      check: () => Promise.reject(new Error('ask the desk', { cause: new Error('it is closed') })),
    };
    const use = [badge];
    const publicUrl = 'https://tally.example.org/';

    it('has their settings as flags, variables and keys of the settings file', async () => {
      const file = { name: 'hall.toml', values: { 'badge-desk': ['https://desk.example'] } };
      const config = loadConfig({ publicUrl }, { TALLYBOOK_BADGE_COLOUR: 'blue' }, { use, file });
      const { log, lines } = recordedLog();
      createIdentityProvider(config, new Timekeeper(new ManualClock()), log);
      expect(made).to.deep.equal([
        { 'badge-desk': 'https://desk.example', 'badge-colour': 'blue', redirectUrl: publicUrl },
      ]);
      expect(identityRulesOf(config)).to.deep.equal({ role: 'viewer', groupRoles: {} });
      await warnOfIdentity(log, config);
      expect(lines.values.map(({ msg }) => msg)).to.deep.equal([
        'nobody can sign in at the identity provider: ask the desk',
      ]);
    });

    it('makes none unless the first setting has a value', () => {
      const config = loadConfig({ publicUrl }, {}, { use });
      expect(createIdentityProvider(config, new Timekeeper(new ManualClock()), recordedLog().log)).to.equal(
        undefined,
      );
    });

    it('refuses two providers, and settings that are named like others', () => {
      const file = { name: 'hall.toml', values: { 'badge-desk': ['x'] } };
      const oidc = { publicUrl, oidcIssuer: 'https://id.example', oidcClientId: 'tally' };
      expect(() => loadConfig(oidc, {}, { use, file })).to.throw('one identity provider; got oidc and badge');
      const tls = { ...badge, scheme: 'tls', settings: { 'tls-cert': { help: '' } } };
      expect(() => loadConfig({}, {}, { use: [tls] })).to.throw('has the setting --tls-cert, which is taken');
      expect(() => checkRegistration({ ...badge, scheme: 'pass' }, [])).to.throw(
        'the settings of the identity "pass" begin with pass-, then lower-case letters, digits and -; got "badge-desk"',
      );
    });
  });

  it('refuses one that is not a registration', async () => {
    using errors = new CaughtOutput(process.stderr);
    const wrong = { ...bell, version: 0 };
    expect(await runCommandLine(['doctor'], { use: [wrong] })).to.equal(2);
    expect(errors.text).to.include('was built for version 0 of registrations');
  });
});
