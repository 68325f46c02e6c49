import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import type { PasswordCheck, Secrets } from '@tallybook/domain/access';
import type { Sabotage } from './sabotage.js';

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

export const secretsSabotages: readonly Sabotage<new () => Secrets>[] = [
  {
    fault: 'makes the same secret again and again',
    Fake: class extends QuickSecrets {
      override random(): string {
        return 'A'.repeat(43);
      }
    },
    fails: ['makes random secrets of 43 characters for URLs'],
  },
  {
    fault: 'makes secrets with characters that a URL has no place for',
    Fake: class extends QuickSecrets {
      #made = 0;

      override random(): string {
        return `${String(this.#made++).padStart(42, '0')}+`;
      }
    },
    fails: ['makes random secrets of 43 characters for URLs'],
  },
  {
    fault: 'makes codes with letters that look like others',
    Fake: class extends QuickSecrets {
      override randomCode(): string {
        return super.randomCode().replaceAll('0', 'O');
      }
    },
    fails: ['makes random codes of 12 characters that people can tell apart'],
  },
  {
    fault: 'makes codes of digits alone',
    Fake: class extends QuickSecrets {
      override randomCode(): string {
        return String(randomInt(1_000_000_000)).padStart(12, '0');
      }
    },
    fails: ['makes random codes of 12 characters that people can tell apart'],
  },
  {
    fault: 'digests by something else',
    Fake: class extends QuickSecrets {
      override digest(text: string): string {
        return createHash('sha512').update(text).digest('hex').slice(0, 64);
      }
    },
    fails: ['digests a text by SHA-256'],
  },
  {
    fault: 'digests bytes of Latin-1',
    Fake: class extends QuickSecrets {
      override digest(text: string): string {
        return createHash('sha256').update(text, 'latin1').digest('hex');
      }
    },
    fails: ['digests a text by SHA-256'],
  },
  {
    fault: 'authenticates by a digest of the key and the text',
    Fake: class extends QuickSecrets {
      override hmac(key: string, text: string): string {
        return this.digest(key + text);
      }
    },
    fails: ['authenticates a text by HMAC with SHA-256'],
  },
  {
    fault: 'authenticates bytes of Latin-1',
    Fake: class extends QuickSecrets {
      override hmac(key: string, text: string): string {
        return createHmac('sha256', Buffer.from(key, 'latin1')).update(text, 'latin1').digest('hex');
      }
    },
    fails: ['authenticates a text by HMAC with SHA-256'],
  },
  {
    fault: 'takes a password in any case',
    Fake: class extends QuickSecrets {
      override hash(password: string): Promise<string> {
        return super.hash(password.toLowerCase());
      }

      override check(password: string, hash: string | undefined): Promise<PasswordCheck> {
        return super.check(password.toLowerCase(), hash);
      }
    },
    fails: ['checks a password against its hash'],
  },
  {
    fault: 'takes any password where there is no hash',
    Fake: class extends QuickSecrets {
      override check(password: string, hash: string | undefined): Promise<PasswordCheck> {
        return hash === undefined ? Promise.resolve({ matches: true }) : super.check(password, hash);
      }
    },
    fails: ['matches nothing with no hash'],
  },
  {
    fault: 'hashes anew what it has just hashed',
    Fake: class extends QuickSecrets {
      override async check(password: string, hash: string | undefined): Promise<PasswordCheck> {
        const { matches } = await super.check(password, hash);
        return matches ? { matches, rehashed: await this.hash(password) } : { matches };
      }
    },
    fails: ['needs no new hash for one that it has just made'],
  },
  {
    fault: 'shows the password in the hash',
    Fake: class extends QuickSecrets {
      override async hash(password: string): Promise<string> {
        return `${await super.hash(password)}$${password}`;
      }
    },
    fails: ['salts: two hashes of a password differ, and do not show it'],
  },
];
