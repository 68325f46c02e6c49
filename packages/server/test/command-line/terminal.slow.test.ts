import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { program } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';
import { Terminal } from '../fixtures/processes/terminal.js';

describe('tallybook on a terminal', () => {
  const { processes, folder, store, serve } = storedService();

  function show(...args: string[]): Terminal {
    return processes.add(new Terminal([program, ...args]));
  }

  /** Shows progress as on a very slow machine: each check finds more of it. */
  function showSlowly(...args: string[]): Terminal {
    const code = 'const now = performance.now.bind(performance); performance.now = () => now() * 10_000;';
    const variables = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"` };
    return processes.add(new Terminal([program, ...args], variables));
  }

  const NAMES = 20_000;

  /** A file with many names. */
  async function backup(): Promise<string> {
    const names = Array.from(
      { length: NAMES },
      (_, n) => `{"kind":"name","id":"AB${String(n).padStart(8, '0')}","first":"Ada","last":"L"}\n`,
    );
    await writeFile(folder.path('backup.jsonl'), `{"kind":"tallybook","version":1}\n${names.join('')}`);
    return folder.path('backup.jsonl');
  }

  it('shows how far import, export and repair are, and clears that when they are done', async () => {
    const importing = showSlowly('import', '--store', store(), await backup());
    expect(await importing.exited).to.equal(0);
    expect(importing.text).to.match(/checking line \d+/);
    expect(importing.text).to.match(/importing 20000 records, line [1-9]\d{2,}/);
    expect(importing.text).to.match(/\r<clear>imported 20000 names, 0 entries into level:\S+\r\n$/);

    const exporting = show('export', '--store', store(), folder.path('copy.jsonl'));
    expect(await exporting.exited).to.equal(0);
    expect(exporting.text).to.match(/exporting line 1\b/);
    expect(exporting.text).to.match(/\r<clear>$/);

    const repairing = show('repair', '--store', store());
    expect(await repairing.exited).to.equal(0);
    expect(repairing.text).to.include(`reading all of ${store()}`.slice(0, 60));
    expect(repairing.text).to.match(/\r<clear>the store is sound[^\r]*\r\n$/);
  });

  it('shows an error on a line of its own', async () => {
    await writeFile(folder.path('torn.jsonl'), '{"kind":"tallybook","version":1}\nnonsense\n');
    const importing = show('import', '--store', store(), folder.path('torn.jsonl'));
    expect(await importing.exited).to.equal(1);
    expect(importing.text).to.match(/\r<clear>tallybook: line 2/);
  });

  it('shows no progress between lines that are exported to the terminal', async () => {
    execFileSync(process.execPath, [program, 'import', '--store', store(), await backup()]);
    const exporting = show('export', '--store', store());
    expect(await exporting.exited).to.equal(0);
    expect(exporting.text).to.not.include('<clear>');
  });

  const showService = (reader: string): Terminal =>
    show('serve', '--port', '0', '--store', 'memory:', '--reader', reader, '--repeat-window', '0');

  it('asks about an id of 3 bytes, and accepts it when it is typed again', async () => {
    const terminal = showService('stdin:');
    await terminal.says(/type the id of a tag/);
    terminal.type('facade\r');
    await terminal.says(/an id of 3 bytes[^\n]*type it again/);
    terminal.type('04A2B3C4D5\r');
    await terminal.says(/scan recorded/);
    expect(terminal.text.match(/scan recorded/g)).to.have.length(1);
    terminal.type('FACADE\r');
    await terminal.says(/scan recorded[^]*scan recorded/);
    expect(terminal.text.match(/an id of 3 bytes/g)).to.have.length(1);
  });

  it('accepts an id of 3 bytes at once if the URL has the format of ids', async () => {
    const terminal = showService('stdin:?format=hex');
    await terminal.says(/type the id of a tag/);
    terminal.type('facade\r');
    await terminal.says(/scan recorded/);
    expect(terminal.text).to.not.match(/an id of 3 bytes/);
  });

  it('accepts an id of 3 bytes at once from a pipe', async () => {
    const server = processes.start('serve', '--port', '0', '--store', 'memory:');
    await server.url();
    server.tap('facade');
    await server.says(/scan recorded/);
    expect(server.text).to.not.match(/an id of 3 bytes/);
  });

  it('leaves the store to a service while it asks, and then erases through that service', async () => {
    const lines = [
      { kind: 'tallybook', version: 1 },
      { kind: 'name', id: 'AB00000001', first: 'Ada', last: 'Lovelace' },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await mkdir(folder.path('backups'));
    await writeFile(folder.path('backups', 'tallybook-00000001.jsonl'), text);
    await writeFile(folder.path('one.jsonl'), text);
    execFileSync(process.execPath, [program, 'import', '--store', store(), folder.path('one.jsonl')]);
    const asking = show('erase', 'AB00000001', '--store', store(), '--backup', folder.path('backups'));
    await asking.says(/the name "Ada Lovelace"[^]*for good\? \[y\/N\] /);
    const server = serve('--clock', 'trusted');
    await server.url();
    asking.type('y\r');
    expect(await asking.exited).to.equal(0);
    expect(asking.text)
      .to.match(/AB00000001: erased a name/)
      .and.match(/still in the backup tallybook-00000001\.jsonl/);
    const exported = execFileSync(process.execPath, [program, 'export', '--store', store()], {
      encoding: 'utf8',
    });
    expect(exported).to.not.include('AB00000001');
  });

  it('shows the setup code in a frame, with the address at which to enter it', async () => {
    const serving = show('serve', '--host', '0.0.0.0', '--port', '0', '--store', store());
    await serving.says(/└─+┘/);
    const [, frame = ''] = /(┌─+┐\r\n(?:│.*│\r\n)+└─+┘)/.exec(serving.text) ?? [];
    const lines = frame.split('\r\n');
    expect(new Set(lines.map(({ length }) => length)).size).to.equal(1);
    expect(lines[1]).to.match(/^│ {2}This service has no users yet\. Open /);
    expect(lines.at(-3)).to.match(/^│ {2}http:\/\/\S+\.local:\d+\/ /);
    expect(lines.at(-2)).to.match(/^│ {2}and enter the setup code \S{4}-\S{4}-\S{4} /);
  });
});
