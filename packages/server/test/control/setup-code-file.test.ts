import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import { SetupCodeFile } from '../../src/control/setup-code-file.js';
import { CountedEmitter } from '../fixtures/counted-emitter.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('the file with the setup code', () => {
  const folder = temporaryFolder();
  const changes = new CountedEmitter<undefined>();
  const faults: unknown[] = [];
  beforeEach(() => void faults.splice(0));

  const fileOf = (codes: { code: string | undefined }, path?: string): SetupCodeFile =>
    new SetupCodeFile({ setup: codes, changes }, path ?? folder.path(), (error) => faults.push(error));

  testLifecycle('SetupCodeFile', () => fileOf({ code: 'ABCDEFGHJKMN' }));

  it('holds the code in groups, for its owner only, until the service closes', async () => {
    const before = process.umask(0);
    const file = fileOf({ code: 'ABCDEFGHJKMN' });
    await file.open();
    process.umask(before);
    expect(await readFile(folder.path('setup-code'), 'utf8')).to.equal('ABCD-EFGH-JKMN\n');
    expect((await stat(folder.path('setup-code'))).mode & 0o777).to.equal(0o600);
    expect(changes.listeners).to.equal(1);
    await file.close();
    expect(await readdir(folder.path())).to.deep.equal([]);
    expect(changes.listeners).to.equal(0);
  });

  it('is removed when the service is claimed, and not before', async () => {
    const codes: { code: string | undefined } = { code: 'ABCDEFGHJKMN' };
    await using file = fileOf(codes);
    await file.open();
    changes.emit(undefined);
    expect(await readdir(folder.path())).to.deep.equal(['setup-code']);
    codes.code = undefined;
    changes.emit(undefined);
    while ((await readdir(folder.path())).length > 0) await new Promise(setImmediate);
  });

  it('replaces the file of a killed process that others could read', async () => {
    await writeFile(folder.path('setup-code'), 'old', { mode: 0o644 });
    await using file = fileOf({ code: 'ABCDEFGHJKMN' });
    await file.open();
    expect((await stat(folder.path('setup-code'))).mode & 0o777).to.equal(0o600);
    expect(await readFile(folder.path('setup-code'), 'utf8')).to.equal('ABCD-EFGH-JKMN\n');
  });

  it('is removed at the start if it is not needed', async () => {
    await writeFile(folder.path('setup-code'), 'old');
    await using file = fileOf({ code: undefined });
    await file.open();
    expect(await readdir(folder.path())).to.deep.equal([]);
  });

  it('reports why there is no file, and lets the service continue', async () => {
    await mkdir(folder.path('setup-code', 'x'), { recursive: true });
    await using file = fileOf({ code: 'ABCDEFGHJKMN' });
    await file.open();
    expect(faults).to.have.length(2);
  });
});
