import { randomBytes } from 'node:crypto';
import { isTallybookError } from '@tallybook/domain';
import { secretsContract } from '@tallybook/testing';
import { expect } from 'chai';
import { SystemSecrets } from '../src/index.js';

const PASSWORD = 'correct horse battery';
const quick = new SystemSecrets({ workFactor: 10 });

secretsContract({ describe, it }, { name: 'SystemSecrets', make: () => quick });

describe('SystemSecrets', () => {
  it('keeps a password as PHC text with the cost that OWASP asks for', async () => {
    const hash = await new SystemSecrets().hash(PASSWORD);
    expect(hash).to.match(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it('knows a hash that another program has made', async () => {
    // From RFC 7914, section 12: scrypt ("pleaseletmein", "SodiumChloride", 16384, 8, 1, 64).
    const expected = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2' +
        'd5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      'hex',
    );
    const [salt, hash] = [Buffer.from('SodiumChloride'), expected].map((bytes) =>
      bytes.toString('base64').replace(/=+$/, ''),
    );
    const { matches } = await quick.check('pleaseletmein', `$scrypt$ln=14,r=8,p=1$${salt}$${hash}`);
    expect(matches).to.equal(true);
  });

  it('hashes anew what was hashed with less work, and nothing else', async () => {
    const old = await quick.hash(PASSWORD);
    const { matches, rehashed } = await new SystemSecrets({ workFactor: 11 }).check(PASSWORD, old);
    expect(matches).to.equal(true);
    expect(rehashed).to.match(/^\$scrypt\$ln=11,/);
    expect(await quick.check(PASSWORD, rehashed)).to.deep.equal({ matches: true });
  });

  it('does not hash a wrong password anew', async () => {
    const old = await quick.hash(PASSWORD);
    expect(await new SystemSecrets({ workFactor: 11 }).check('another one', old)).to.deep.equal({
      matches: false,
    });
  });

  it('matches nothing with a record that asks for gigabytes, or is none', async () => {
    const [, , , salt, hash] = (await quick.hash(PASSWORD)).split('$');
    const records = [
      `$scrypt$ln=30,r=8,p=3$${salt}$${hash}`,
      `$scrypt$ln=10,r=99,p=3$${salt}$${hash}`,
      `$scrypt$ln=10,r=8,p=99$${salt}$${hash}`,
      `$scrypt$ln=10,r=8,p=3$${salt}$`,
      `$argon2id$v=19$m=1,t=1,p=1$${salt}$${hash}`,
      PASSWORD,
      '',
    ];
    for (const record of records)
      expect(await quick.check(PASSWORD, record)).to.deep.equal({ matches: false });
  });

  it('does many at once, in the order of coming, two at a time', async () => {
    const done: number[] = [];
    await Promise.all([...Array(6).keys()].map(async (n) => [await quick.hash(String(n)), done.push(n)]));
    expect(done).to.have.members([0, 1, 2, 3, 4, 5]);
    // The two that are under way may end in either order, but who comes later than both has to wait for one of them.
    for (const [place, n] of done.entries()) {
      const overtaken = done.slice(place).filter((other) => other < n);
      expect(overtaken, `what ${n} has overtaken: ${done.join(', ')}`).to.have.length.below(2);
    }
  });

  it('takes a work factor of 10 to 17', () => {
    for (const workFactor of [9, 18, 10.5, Number.NaN]) {
      expect(() => new SystemSecrets({ workFactor })).to.throw(/workFactor is 10 to 17; got/);
    }
    try {
      new SystemSecrets({ workFactor: 9 });
    } catch (error) {
      expect(isTallybookError(error, 'INVALID_OPTION')).to.equal(true);
    }
  });

  it('takes passwords of any length and any letters', async () => {
    for (const password of ['', 'ß'.repeat(256), '\u0000\u0001', randomBytes(500).toString('latin1')]) {
      expect(await quick.check(password, await quick.hash(password))).to.deep.equal({ matches: true });
    }
  });
});
