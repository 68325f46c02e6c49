import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { isOpenToOthers, tokenFile } from '../src/index.js';

describe('the file of a token', () => {
  let folder = '';
  let file = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-token-'));
    file = join(folder, 'token');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is read anew each time, without what is around the token', async () => {
    const read = tokenFile(file);
    await writeFile(file, 'tb_one\n');
    expect(await read()).to.equal('tb_one');
    await writeFile(file, '  tb_two\r\n\n');
    expect(await read()).to.equal('tb_two');
  });

  for (const [what, content, message] of [
    ['is empty', ' \n', /is empty$/],
    ['has two lines', 'tb_one\ntb_two\n', /something else than a token in one line$/],
    ['is no text', 'tb_\u0000', /something else than a token in one line$/],
    ['is long', 'x'.repeat(5_000), /has more than 4096 bytes/],
  ] as const) {
    it(`is refused if it ${what}, without its content`, async () => {
      await writeFile(file, content);
      const error: unknown = await tokenFile(file)().catch((reason: unknown) => reason);
      expect(isTallybookError(error, 'UPSTREAM_UNAVAILABLE')).to.equal(true);
      expect(error).to.have.property('message').that.matches(message).and.not.includes('tb_');
      expect(error).to.have.property('message').that.includes(file);
    });
  }

  it('is refused if it does not exist, or is a folder', async () => {
    for (const [name, message, code] of [
      [file, /does not exist$/, 'ENOENT'],
      [folder, /is no plain file$/, undefined],
    ] as const) {
      const error: unknown = await tokenFile(name)().catch((reason: unknown) => reason);
      expect(error).to.have.property('message').that.matches(message);
      expect(error).to.have.property('details').that.deep.equals({ reason: 'token' });
      // The cause is present if the system gave an error.
      expect(error instanceof Error && 'cause' in error).to.equal(code !== undefined);
      if (code !== undefined) expect(error).to.have.property('cause').that.includes({ code });
    }
  });

  it('does not exist below what is no folder', async () => {
    await writeFile(file, 'tb_one');
    const error: unknown = await tokenFile(join(file, 'token'))().catch((reason: unknown) => reason);
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
