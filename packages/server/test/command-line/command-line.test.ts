import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { settings } from '@tallybook/server';
import { writeRows } from '../../../store-level/test/fixtures/raw-rows.js';
import { readVersion } from '../../src/version.js';
import { call, callWith } from '../fixtures/processes/called.js';
import { storedService } from '../fixtures/processes/stored-service.js';
import { withStores } from '../fixtures/stores/varied-store.js';

const HEAD = '{"kind":"tallybook","version":1}';
const ENTRY = '{"kind":"entry","day":20411,"id":"04A2B3C4D5","first":1763510400,"last":1763510400,"count":1}';
const PROVISIONAL =
  '{"kind":"provisional","id":"04A2B3C4D5","reader":"door","bootId":"b","monotonicMs":1.5,"shown":7,"notBefore":5}';
const NAME = '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}';

describe('runCommandLine', () => {
  const { folder, store, inStore } = storedService();

  async function fill(): Promise<void> {
    await withStores(store(), ({ days }) =>
      days.record(toDay(20_411), parseTallyId('04A2B3C4D5'), toTimestamp(1_763_510_400)),
    );
  }

  /** A damaged row of a name. */
  async function damage(): Promise<void> {
    await fill();
    await writeRows(folder.path('store'), { '0204a2b3c4d5': '00' });
  }

  async function written(name: string, ...lines: readonly string[]): Promise<string> {
    await writeFile(folder.path(name), lines.map((line) => `${line}\n`).join(''));
    return folder.path(name);
  }

  it('prints the version, and exits with 0', async () => {
    expect(await call('--version')).to.deep.equal({ exitCode: 0, output: `${readVersion()}\n`, errors: '' });
  });

  it('shows the help of a subcommand', async () => {
    for (const args of [
      ['help', 'user', 'add'],
      ['user', 'help', 'add'],
    ]) {
      const { exitCode, output } = await call(...args);
      expect(exitCode).to.equal(0);
      expect(output).to.match(/^Usage: tallybook user add \[options\] <name>\n/);
    }
    expect((await call('help', 'user')).output).to.match(/^Usage: tallybook user \[options\] \[command\]\n/);
    expect((await call('help')).output).to.match(/^Usage: tallybook \[options\] \[command\]\n/);
  });

  it('lists the commands, and exits with 0, for help', async () => {
    const { exitCode, output, errors } = await call('--help');
    expect([exitCode, errors]).to.deep.equal([0, '']);
    expect(output).to.match(/^Usage: tallybook \[options\] \[command\]\n\nAttendance service/);
    const commands = [
      'serve',
      'export',
      'import',
      'import-names',
      'repair',
      'rollback',
      'migrate',
      'copy',
      'erase',
      'person',
      'retention',
      'audit',
      'doctor',
      'user',
      'token',
      'passkey',
      'stations',
      'setup-code',
      'help',
    ];
    expect(Array.from(output.matchAll(/^ {2}([a-z]\S*) /gm), ([, name]) => name)).to.deep.equal(commands);
  });

  it('names all settings in the help of serve, each with its default and its variable', async () => {
    const { output } = await call('serve', '--help');
    const words = output.replace(/\s+/g, ' ');
    for (const { flag, value, variable, default: byDefault } of Object.values(settings)) {
      expect(words).to.include(`--${flag} ${value} `);
      expect(words).to.include(`(default: ${String(byDefault) || 'none'}, env: ${variable})`);
    }
    expect(words).to.include('env: TALLYBOOK_CONFIG').and.include('are listed by tallybook help.');
  });

  const usages: readonly (readonly [args: readonly string[], hint: string])[] = [
    [['sreve'], 'tallybook help'],
    [['serve', '--prot', '80'], 'tallybook serve --help'],
    [['import'], 'tallybook import --help'],
    [['import-names'], 'tallybook import-names --help'],
    [['user', 'add'], 'tallybook user add --help'],
    ...[
      'serve now',
      'export a b',
      'import a b',
      'import-names a b',
      'repair now',
      'doctor now',
      'setup-code now',
    ].map((args): readonly [readonly string[], string] => [
      args.split(' '),
      `tallybook ${args.split(' ')[0]} --help`,
    ]),
  ];
  for (const [args, hint] of usages) {
    it(`exits with 2 for "${args.join(' ')}", and names the help`, async () => {
      const { exitCode, output, errors } = await call(...args);
      expect([exitCode, output]).to.deep.equal([2, '']);
      expect(errors)
        .to.match(/^error: /)
        .and.include(`(${hint} says more)`);
    });
  }

  it('exits with 2 for wrong settings, and lists all of them without a code', async () => {
    const { exitCode, errors } = await call('serve', '--port', 'x', '--log-level', 'loud');
    expect(exitCode).to.equal(2);
    expect(errors)
      .to.match(/^tallybook: --port: .*\n {2}--log-level: .*\n$/)
      .and.not.include('INVALID_OPTION');
  });

  it('warns of a variable that is no setting, also if only the store is needed', async () => {
    for (const args of [['serve', '--port', 'x'], ['export'], ['repair']]) {
      const { errors } = await callWith({ TALLYBOOK_STROE: store() }, ...args);
      expect(errors).to.match(
        // What follows depends on whether the working folder has a store, as after `npm start`.
        /^tallybook: TALLYBOOK_STROE: ignored, .* \(did you mean TALLYBOOK_STORE\?\)\n/,
      );
    }
  });

  it('exits with 1 for every other failure, with its code', async () => {
    for (const command of ['export', 'repair']) {
      const { exitCode, errors } = await inStore(command);
      expect(exitCode).to.equal(1);
      expect(errors).to.equal(
        `tallybook: there is no store at ${folder.path('store')}; choose it with --store (STORE_UNAVAILABLE)\n`,
      );
    }
  });

  it('exits with 3 for a damaged store, and names the command of the repair', async () => {
    await damage();
    const { exitCode, errors } = await inStore('export');
    expect(exitCode).to.equal(3);
    expect(errors).to.match(/ is damaged: .*`tallybook repair --store .*\(STORE_CORRUPT\)\n$/);
    const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };
    const called = await callWith(fromNpm, 'export', '--store', store());
    expect(called.errors).to.include('`npm start -- repair --store ');
  });

  it('exports to standard output, also for a dash, or silently to a file', async () => {
    await fill();
    const end = '{"kind":"end","names":0,"entries":1,"corrections":0,"provisional":0}';
    const { exitCode, output, errors } = await inStore('export');
    expect([exitCode, errors]).to.deep.equal([0, '']);
    expect(output.trimEnd().split('\n').slice(1)).to.deep.equal([ENTRY, end]);
    expect((await inStore('export', '-')).output).to.equal(output);
    expect(await inStore('export', folder.path('b.jsonl'))).to.deep.equal({
      exitCode: 0,
      output: '',
      errors: '',
    });
    expect(await readFile(folder.path('b.jsonl'), 'utf8')).to.equal(output);
  });

  const imports: readonly (readonly [lines: readonly string[], counts: string, told: string])[] = [
    [[NAME, ENTRY], '"names":1,"entries":1,"corrections":0,"provisional":0', '1 name, 1 entry'],
    [
      [PROVISIONAL],
      '"names":0,"entries":0,"corrections":0,"provisional":1',
      '0 names, 0 entries, 1 scan taken with a wrong clock',
    ],
    [[], '"names":0,"entries":0,"corrections":0,"provisional":0', '0 names, 0 entries'],
  ];
  for (const [lines, counts, told] of imports) {
    it(`reports the import of ${told}`, async () => {
      const file = await written('b.jsonl', HEAD, ...lines, `{"kind":"end",${counts}}`);
      expect(await inStore('import', file)).to.deep.equal({
        exitCode: 0,
        output: `imported ${told} into ${store()}\n`,
        errors: '',
      });
    });
  }

  it('imports names from a list, or only reports the changes with --dry-run', async () => {
    const file = await written('names.csv', 'id,first name,last name', '04A2B3C4D5,Ada,Lovelace');
    expect((await inStore('import-names', file)).output).to.match(/^changed persons in level:.*: 1 new,/);
    await written('names.csv', 'id,first name,last name', '04A2B3C4D5,Ada,King');
    for (let n = 0; n < 2; n++) {
      const { output } = await inStore('import-names', '--dry-run', file);
      expect(output).to.match(/^would change persons in level:.*: 0 new, 1 changed/);
    }
  });

  it('reports a sound store as sound, and for a damaged one the saved data and the next step', async () => {
    await fill();
    const sound = await inStore('repair');
    expect([sound.exitCode, sound.errors]).to.deep.equal([0, '']);
    expect(sound.output).to.match(/^the store is sound and was not changed; it holds .*\n$/);
    await damage();
    const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };
    const { exitCode, output } = await callWith(fromNpm, 'repair', '--store', store());
    expect(exitCode).to.equal(0);
    expect(output.trimEnd().split('\n').at(-1)).to.match(
      /^now import the last backup.*: npm start -- import /,
    );
  });

  it('does not repair a missing store or one in memory', async () => {
    const inMemory = await call('repair', '--store', 'memory:');
    expect([inMemory.exitCode, inMemory.errors]).to.deep.equal([
      2,
      'tallybook: only a store on a disk can be repaired; got "memory:"\n',
    ]);
    expect((await inStore('repair')).exitCode).to.equal(1);
  });

  it('reads settings from a file, which a flag or a variable names, and the flag wins', async () => {
    await fill();
    const right = await written('right.toml', `store = "${store()}"`);
    const wrong = await written('wrong.toml', `store = "level:${folder.path('none')}"`);
    expect((await call('export', '--config', right)).exitCode).to.equal(0);
    expect((await callWith({ TALLYBOOK_CONFIG: ` ${right} ` }, 'export')).exitCode).to.equal(0);
    expect((await callWith({ TALLYBOOK_CONFIG: wrong }, 'export')).exitCode).to.equal(1);
    expect((await callWith({ TALLYBOOK_CONFIG: wrong }, 'export', '--config', right)).exitCode).to.equal(0);
    expect((await callWith({ TALLYBOOK_CONFIG: ' ' }, 'export', '--store', store())).exitCode).to.equal(0);
    const unknown = await written('unknown.toml', 'stroe = "memory:"');
    expect(await call('export', '--config', unknown)).to.deep.include({ exitCode: 2 });
  });

  it('exits with 1 if a service that repairs at its start finds damage later, so that it is started again', async () => {
    await fill();
    // A key of a provisional scan without a sequence: only the check of the rows finds it.
    await writeRows(folder.path('store'), { '05ff': '' });
    const serve = ['serve', '--port', '0', '--reader', 'simulated:?every=1d'];
    const { exitCode, errors } = await inStore(...serve, '--on-damage', 'repair');
    expect([exitCode, errors]).to.deep.equal([1, errors.replace(/^(?!tallybook: .*STORE_CORRUPT)/, 'wrong')]);
  });

  it('names the options that npm took for itself, and the place of --', async () => {
    const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };
    const taken = { ...fromNpm, npm_config_port: '80', npm_config_json: 'true' };
    for (const [command, words] of [
      [['serve', 'x'], ''],
      [['x'], ''],
      [['user', 'add', 'x'], 'user add '],
    ] as const) {
      const { exitCode, errors } = await callWith(taken, ...command);
      expect(exitCode).to.equal(2);
      expect(errors).to.equal(
        `tallybook: npm took --port for itself; put -- before the options of Tallybook: npm start -- ${words}x --port 80\n`,
      );
    }
  });

  it('surveys devices for people and for programs', async () => {
    const people = await call('doctor');
    expect(people.exitCode).to.equal(0);
    expect(people.output)
      .to.match(/^Serial lines\n {2}\S/)
      .and.include(" tallybook doctor --reader 'URL'");
    const programs = await call('doctor', '--json');
    expect(programs.exitCode).to.equal(0);
    expect(programs.output.trimEnd()).not.to.include('\n');
    const parts = JSON.parse(programs.output) as readonly { readonly title: string }[];
    expect(parts.map(({ title }) => title)).to.include('GPIO chips');
  });

  it('tries a reader until it is interrupted, and leaves no listener then', async () => {
    const before = ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const called = call('doctor', '--reader', 'simulated:?every=1d');
      while (process.listenerCount(signal) === before[0]) await new Promise(setImmediate);
      process.emit(signal);
      const { exitCode, output } = await called;
      expect(exitCode).to.equal(1);
      expect(output).to.match(/^Hold a tag to simulated; waiting 30s for it\.\n/);
      expect(['SIGINT', 'SIGTERM'].map((each) => process.listenerCount(each))).to.deep.equal(before);
    }
  });

  it('shows the id of the tag that was read', async () => {
    const reader = ['--reader', 'simulated:?every=100ms'];
    const { exitCode, output } = await call('doctor', ...reader, '--timeout', '1m');
    expect(exitCode).to.equal(0);
    expect(output).to.match(/\nThe device is there\.\n(?:raw {2}.*\n)?id {3}[0-9A-F]+\n$/);
  });
});
