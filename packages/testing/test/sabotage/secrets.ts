import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { PasswordCheck, Secrets } from '@tallybook/domain/access';
import { faults } from './sabotage.js';

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Secrets that keep every promise, except to be slow. */
export class QuickSecrets implements Secrets {
  random(): string {
    return randomBytes(32).toString('base64url');
  }

  randomCode(): string {
    return Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  }

  digest(text: string): string {
    return createHash('sha256').update(text).digest('hex');
  }

  hmac(key: string, text: string): string {
    return createHmac('sha256', key).update(text).digest('hex');
  }

  hash(password: string): Promise<string> {
    const salt = this.random();
    return Promise.resolve(`${salt}$${this.digest(salt + password)}`);
  }

  check(password: string, hash: string | undefined): Promise<PasswordCheck> {
    const [salt = '', digest] = hash?.split('$') ?? [];
    return Promise.resolve({ matches: digest === this.digest(salt + password) });
  }
}

export const secretsSabotages = faults(QuickSecrets, {
  'makes the same secret again and again': {
    fails: ['makes random secrets of 43 characters for URLs'],
    random: () => () => 'A'.repeat(43),
  },
  'makes secrets with characters that a URL has no place for': {
    fails: ['makes random secrets of 43 characters for URLs'],
    random: () => {
      let made = 0;
      return () => `${String(made++).padStart(42, '0')}+`;
    },
  },
  'makes codes with letters that look like others': {
    fails: ['makes random codes of 12 characters that people can tell apart'],
    randomCode: (sound) => () => sound().replaceAll('0', 'O'),
  },
  'makes codes of digits alone': {
    fails: ['makes random codes of 12 characters that people can tell apart'],
    randomCode: () => () => String(randomInt(1_000_000_000)).padStart(12, '0'),
  },
  'digests by something else': {
    fails: ['digests a text by SHA-256'],
    digest: () => (text) => createHash('sha512').update(text).digest('hex').slice(0, 64),
  },
  'digests bytes of Latin-1': {
    fails: ['digests a text by SHA-256'],
    digest: () => (text) => createHash('sha256').update(text, 'latin1').digest('hex'),
  },
  'authenticates by a digest of the key and the text': {
    fails: ['authenticates a text by HMAC with SHA-256'],
    hmac: (_, fake) => (key, text) => fake.digest(key + text),
  },
  'authenticates bytes of Latin-1': {
    fails: ['authenticates a text by HMAC with SHA-256'],
    hmac: () => (key, text) =>
      createHmac('sha256', Buffer.from(key, 'latin1')).update(text, 'latin1').digest('hex'),
  },
  'takes a password in any case': {
    fails: ['checks a password against its hash'],
    hash: (sound) => (password) => sound(password.toLowerCase()),
    check: (sound) => (password, hash) => sound(password.toLowerCase(), hash),
  },
  'takes any password where there is no hash': {
    fails: ['matches nothing with no hash'],
    check: (sound) => (password, hash) =>
      hash === undefined ? Promise.resolve({ matches: true }) : sound(password, hash),
  },
  'hashes anew what it has just hashed': {
    fails: ['needs no new hash for one that it has just made'],
    check: (sound, fake) => async (password, hash) => {
      const { matches } = await sound(password, hash);
      return matches ? { matches, rehashed: await fake.hash(password) } : { matches };
    },
  },
  'shows the password in the hash': {
    fails: ['salts: two hashes of a password differ, and do not show it'],
    hash: (sound) => async (password) => `${await sound(password)}$${password}`,
  },
});
