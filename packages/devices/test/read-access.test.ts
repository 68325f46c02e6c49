import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AccessFileError, describeFileProblem, readAccess } from '../src/mqtt/read-access.js';

const broker = { host: 'broker.local', port: 8883, isSecure: true };

describe('readAccess', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-access-'));
    await writeFile(join(folder, 'file'), 'ada:secret\n');
    await writeFile(join(folder, 'largest'), `ada:${'x'.repeat(1_048_572)}`);
    await writeFile(join(folder, 'too-large'), `ada:${'x'.repeat(1_048_573)}`);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
  });

  after(() => rm(folder, { recursive: true }));

  const parameters = {
    credentials: 'credentialsFile',
    ca: 'caFile',
    cert: 'certFile',
    key: 'keyFile',
  } as const;
  for (const [parameter, option] of Object.entries(parameters)) {
    it(`says by its parameter which file it cannot read: ${parameter}`, async () => {
      const cases = {
        none: 'is missing; correct the path, or create the file',
        'file/none': 'is missing; correct the path, or create the file',
        '.': 'is a folder; name the file in it',
        pipe: 'is a pipe or a device; name a plain file',

        'too-large': 'has more than 1048576 bytes; name a smaller one',
      };
      for (const [name, problem] of Object.entries(cases)) {
        const path = `${folder}/${name}`;
        const failure: unknown = await readAccess({ ...broker, [option]: path }, {}).catch(
          (error: unknown) => error,
        );
        expect(failure)
          .to.be.instanceOf(AccessFileError)
          .with.property('message', `${parameter}=${path} ${problem}`);
      }
    });
  }

  it('refuses a device, which may have no end', async () => {
    const failure: unknown = await readAccess({ ...broker, caFile: '/dev/zero' }, {}).catch(String);
    expect(failure).to.equal('AccessFileError: ca=/dev/zero is a pipe or a device; name a plain file');
  });

  it('reads one of exactly 1 MiB', async () => {
    const { password } = await readAccess({ ...broker, credentialsFile: join(folder, 'largest') }, {});
    expect(password).to.have.lengthOf(1_048_572);
  });

  it('reads each of them', async () => {
    const path = join(folder, 'file');
    const files = { credentialsFile: path, caFile: path, certFile: path, keyFile: path };
    const content = Buffer.from('ada:secret\n');
    expect(await readAccess({ ...broker, ...files }, {})).to.deep.equal({
      username: 'ada',
      password: 'secret',
      ca: content,
      cert: content,
      key: content,
    });
  });
});

describe('describeFileProblem', () => {
  it('says what to do when this user may not read a file, and names what is rare', () => {
    for (const code of ['EACCES', 'EPERM']) {
      expect(describeFileProblem(code)).to.equal(
        'may not be read by this user; give it the right, with chown or chmod',
      );
    }
    expect(describeFileProblem('EIO')).to.equal('cannot be read (EIO)');
  });
});
