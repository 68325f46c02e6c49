import { createHook } from 'node:async_hooks';
import { randomBytes, scryptSync } from 'node:crypto';
import { secretsContract } from '@tallybook/testing';
import { expect } from 'chai';
import { thrownBy } from '../../domain/test/fixtures/throws.js';
import { SystemSecrets } from '../src/index.js';

const PASSWORD = 'correct horse battery';
const quick = new SystemSecrets({ workFactor: 10 });

secretsContract({ describe, it }, { name: 'SystemSecrets', make: () => quick });

describe('SystemSecrets', () => {
  it('keeps a password as PHC text with the cost that OWASP asks for', async () => {
    const hash = await new SystemSecrets().hash(PASSWORD);
    expect(hash).to.match(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });

  it('verifies a hash of another program', async () => {
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

  it('hashes a password again only if its hash has a smaller work factor', async () => {
    const old = await quick.hash(PASSWORD);
    const { matches, rehashed } = await new SystemSecrets({ workFactor: 11 }).check(PASSWORD, old);
    expect(matches).to.equal(true);
    expect(rehashed).to.match(/^\$scrypt\$ln=11,/);
    expect(await quick.check(PASSWORD, rehashed)).to.deep.equal({ matches: true });
  });

  it('counts all costs of a hash as work, and not only its memory', async () => {
    const salt = randomBytes(16);
    const hashOf = (r: number, p: number): string => {
      const key = scryptSync(PASSWORD, salt, 32, { N: 2 ** 10, r, p });
      const [salted, hashed] = [salt, key].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
      return `$scrypt$ln=10,r=${r},p=${p}$${salted}$${hashed}`;
    };
    for (const [r, p, isWeaker] of [
      [8, 3, false],
      [8, 4, false],
      [8, 2, true],
      [4, 3, true],
    ] as const) {
      const check = await quick.check(PASSWORD, hashOf(r, p));
      expect(check.matches, `r=${r}, p=${p}`).to.equal(true);
      expect(check.rehashed !== undefined, `r=${r}, p=${p}`).to.equal(isWeaker);
    }
  });

  it('does not hash a wrong password again', async () => {
    const old = await quick.hash(PASSWORD);
    expect(await new SystemSecrets({ workFactor: 11 }).check('another one', old)).to.deep.equal({
      matches: false,
    });
  });

  it('matches nothing with an invalid record, or one that needs gigabytes', async () => {
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

  it('matches nothing with a record of a too small work factor, right or wrong', async () => {
    const salt = randomBytes(16);
    const key = scryptSync(PASSWORD, salt, 32, { N: 2 ** 3, r: 8, p: 1 });
    const [salted, hashed] = [salt, key].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
    for (const cost of ['ln=3,r=8,p=1', 'ln=0,r=8,p=1', 'ln=10,r=0,p=1', 'ln=10,r=8,p=0']) {
      const record = `$scrypt$${cost}$${salted}$${hashed}`;
      expect(await quick.check(PASSWORD, record), cost).to.deep.equal({ matches: false });
    }
  });

  it('computes two of many requested hashes at a time', async () => {
    let running = 0;
    const counts: number[] = [];
    const computations = new Set<number>();
    const hook = createHook({
      init: (id, type) => {
        if (type !== 'SCRYPTREQUEST') return;
        computations.add(id);
        counts.push(++running);
      },
      before: (id) => {
        if (computations.delete(id)) running--;
      },
    }).enable();
    try {
      await Promise.all(Array.from({ length: 6 }, (_, n) => quick.hash(String(n))));
    } finally {
      hook.disable();
    }
    expect(counts).to.deep.equal([1, 2, 2, 2, 2, 2]);
  });

  it('accepts a work factor of 10 to 17', () => {
    for (const workFactor of [10, 17]) expect(() => new SystemSecrets({ workFactor })).not.to.throw();
    for (const workFactor of [9, 18, 10.5, Number.NaN]) {
      const { message } = thrownBy('INVALID_OPTION', () => new SystemSecrets({ workFactor }));
      expect(message).to.match(/workFactor is 10 to 17; got/);
    }
  });

  it('matches nothing for an unknown user', async () => {
    const check = await new SystemSecrets({ workFactor: 10 }).check(PASSWORD, undefined);
    expect(check).to.deep.equal({ matches: false });
  });

  it('accepts passwords of any length and any characters', async () => {
    for (const password of ['', 'ß'.repeat(256), '\u0000\u0001', randomBytes(500).toString('latin1')]) {
      expect(await quick.check(password, await quick.hash(password))).to.deep.equal({ matches: true });
    }
  });
});
