import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readAccess } from '../../src/mqtt/broker.js';
import { AccessFileError, describeFileProblem } from '../../src/read-small-file.js';

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
    it(`names the parameter of an unreadable file: ${parameter}`, async () => {
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

  it('reads a file of exactly 1 MiB', async () => {
    const { password } = await readAccess({ ...broker, credentialsFile: join(folder, 'largest') }, {});
    expect(password).to.have.lengthOf(1_048_572);
  });

  it('takes user and password from the environment, each one if it is set', async () => {
    const user = { TALLYBOOK_MQTT_USERNAME: 'ada' };
    const password = { TALLYBOOK_MQTT_PASSWORD: 'secret' };
    const both = { username: 'ada', password: 'secret' };
    expect(await readAccess(broker, {})).to.deep.equal({});
    expect(await readAccess(broker, user)).to.deep.equal({ username: 'ada' });
    expect(await readAccess(broker, password)).to.deep.equal({ password: 'secret' });
    expect(await readAccess(broker, { ...user, ...password })).to.deep.equal(both);
  });

  it('prefers a file of credentials to the environment', async () => {
    const credentialsFile = join(folder, 'file');
    const env = { TALLYBOOK_MQTT_USERNAME: 'bob', TALLYBOOK_MQTT_PASSWORD: 'other' };
    const both = { username: 'ada', password: 'secret' };
    expect(await readAccess({ ...broker, credentialsFile }, env)).to.deep.equal(both);
  });

  it('reads the first line of credentials up to its end, and its user up to the first colon', async () => {
    const credentialsFile = join(folder, 'lines');
    for (const [content, username, password] of [
      ['ada:se:cret', 'ada', 'se:cret'],
      ['ada:secret\r\nbob:other', 'ada', 'secret'],
      ['ada:secret\nbob:other', 'ada', 'secret'],
      ['a:', 'a', ''],
    ] as const) {
      await writeFile(credentialsFile, content);
      expect(await readAccess({ ...broker, credentialsFile }, {})).to.deep.equal({ username, password });
    }
  });

  for (const content of ['', 'ada', ':secret', '\nada:secret']) {
    it(`refuses credentials without a user in the first line: ${JSON.stringify(content)}`, async () => {
      const credentialsFile = join(folder, 'credentials');
      await writeFile(credentialsFile, content);
      const failure: unknown = await readAccess({ ...broker, credentialsFile }, {}).catch(String);
      expect(failure).to.equal(
        `AccessFileError: the first line of credentials=${credentialsFile} is not user:password`,
      );
    });
  }

  it('reads each kind of file', async () => {
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
  it('says what to do when this user may not read a file, and gives the code of a rare problem', () => {
    for (const code of ['EACCES', 'EPERM']) {
      expect(describeFileProblem(code)).to.equal(
        'may not be read by this user; give it the right, with chown or chmod',
      );
    }
    expect(describeFileProblem('EIO')).to.equal('cannot be read (EIO)');
  });
});
