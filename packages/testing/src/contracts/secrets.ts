import assert from 'node:assert/strict';
import type { Secrets } from '@tallybook/domain/access';
import { casesOf, runCases, type ContractCase, type ContractOptions, type TestRunner } from '../runner.js';

export type SecretsContractOptions = ContractOptions<() => Secrets>;

/** Checks the promises of {@link Secrets}, except those about time. */
export function secretsContract(runner: TestRunner, options: SecretsContractOptions): void {
  runCases(runner, 'Secrets', cases, options);
}

const PASSWORD = 'correct horse battery';
const MANY = 200;

function on(title: string, check: (secrets: Secrets) => void | Promise<void>): ContractCase<() => Secrets> {
  return [title, async (make) => check(make())];
}

const cases: readonly ContractCase<() => Secrets>[] = casesOf(on, {
  'makes random secrets of 43 characters for URLs': (secrets) => {
    const made = Array.from({ length: MANY }, () => secrets.random());
    for (const secret of made) assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(new Set(made).size, MANY);
  },
  'makes random codes of 12 characters that people can tell apart': (secrets) => {
    const made = Array.from({ length: MANY }, () => secrets.randomCode());
    for (const code of made) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{12}$/);
    assert.equal(new Set(made).size, MANY);
    // Among 2,400 random letters, one of the 32 is missing once in 10^31 runs.
    assert.equal(new Set(made.join('')).size, 32);
  },
  'digests a text by SHA-256': (secrets) => {
    assert.equal(secrets.digest('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.equal(secrets.digest('ä'), '33e6d73fee82904c8d7afb78de1154d1e8dc2a0edb08120e63df5b9385c2d9cc');
  },
  'authenticates a text by HMAC with SHA-256': (secrets) => {
    // RFC 4231, section 4.3.
    assert.equal(
      secrets.hmac('Jefe', 'what do ya want for nothing?'),
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    assert.equal(secrets.hmac('ä', 'ö'), '4abf840ce4e1740d6459e7f65a52f37ebce4f32f9115e59b8e0173857a70b1f8');
  },
  'checks a password against its hash': async (secrets) => {
    const hash = await secrets.hash(PASSWORD);
    assert.equal((await secrets.check(PASSWORD, hash)).matches, true);
    for (const wrong of [`${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(0, -1), '', hash]) {
      assert.equal((await secrets.check(wrong, hash)).matches, false, `it took "${wrong}"`);
    }
  },
  'matches nothing with no hash': async (secrets) => {
    assert.deepEqual(await secrets.check(PASSWORD, undefined), { matches: false });
  },
  'salts: two hashes of a password differ, and do not show it': async (secrets) => {
    const [one, other] = [await secrets.hash(PASSWORD), await secrets.hash(PASSWORD)];
    assert.notEqual(one, other);
    assert.ok(!one.includes(PASSWORD));
  },
  'needs no new hash for one that it has just made': async (secrets) => {
    assert.deepEqual(await secrets.check(PASSWORD, await secrets.hash(PASSWORD)), { matches: true });
  },
});
