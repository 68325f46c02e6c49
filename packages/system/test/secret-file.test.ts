import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempDirectory } from '../../store-level/test/fixtures/temp-directory.js';
import { isOpenToOthers, secretFile } from '../src/index.js';

describe('the file of a secret', () => {
  const folder = useTempDirectory();
  let file = '';

  beforeEach(() => (file = join(folder.path, 'token')));

  it('is read anew each time, without what is around the secret', async () => {
    const read = secretFile(file);
    await writeFile(file, 'tb_one\n');
    expect(await read()).to.equal('tb_one');
    await writeFile(file, '  two words\r\n\n');
    expect(await read()).to.equal('two words');
  });

  for (const [what, content, message] of [
    ['is empty', ' \n', /is empty$/],
    ['has two lines', 'tb_one\ntb_two\n', /does not have a one-line secret$/],
    ['is no text', 'tb_\u0000', /does not have a one-line secret$/],
    ['is long', 'x'.repeat(5_000), /has more than 4096 bytes/],
  ] as const) {
    it(`is refused if it ${what}, without its content`, async () => {
      await writeFile(file, content);
      const error: unknown = await secretFile(file)().catch((reason: unknown) => reason);
      expect(error).to.have.property('message').that.matches(message).and.not.includes('tb_');
      expect(error).to.have.property('message').that.includes(file);
    });
  }

  it('is refused if it does not exist, or is a folder', async () => {
    for (const [name, message, code] of [
      [file, /does not exist$/, 'ENOENT'],
      [folder.path, /is not a plain file$/, undefined],
    ] as const) {
      const error: unknown = await secretFile(name)().catch((reason: unknown) => reason);
      expect(error).to.have.property('message').that.matches(message);
      // The cause is present if the system gave an error.
      expect(error instanceof Error && 'cause' in error).to.equal(code !== undefined);
      if (code !== undefined) expect(error).to.have.property('cause').that.includes({ code });
    }
  });

  it('does not exist below what is no folder', async () => {
    await writeFile(file, 'tb_one');
    const error: unknown = await secretFile(join(file, 'token'))().catch((reason: unknown) => reason);
    expect(error)
      .to.have.property('message')
      .that.matches(/does not exist$/);
    expect(error).to.have.nested.property('cause.code', 'ENOTDIR');
  });

  it('is open to others, or for its owner alone', async () => {
    await writeFile(file, 'tb_one');
    await chmod(file, 0o600);
    expect(await isOpenToOthers(file)).to.equal(false);
    await chmod(file, 0o640);
    expect(await isOpenToOthers(file)).to.equal(true);
    await rm(file);
    expect(await isOpenToOthers(file)).to.equal(false);
  });
});
