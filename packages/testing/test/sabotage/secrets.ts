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

export const secretsSabotages = faults<new () => Secrets>({
  'makes the same secret again and again': class extends QuickSecrets {
    static readonly fails = ['makes random secrets of 43 characters for URLs'];
    override random(): string {
      return 'A'.repeat(43);
    }
  },
  'makes secrets with characters that a URL has no place for': class extends QuickSecrets {
    static readonly fails = ['makes random secrets of 43 characters for URLs'];
    #made = 0;

    override random(): string {
      return `${String(this.#made++).padStart(42, '0')}+`;
    }
  },
  'makes codes with letters that look like others': class extends QuickSecrets {
    static readonly fails = ['makes random codes of 12 characters that people can tell apart'];
    override randomCode(): string {
      return super.randomCode().replaceAll('0', 'O');
    }
  },
  'makes codes of digits alone': class extends QuickSecrets {
    static readonly fails = ['makes random codes of 12 characters that people can tell apart'];
    override randomCode(): string {
      return String(randomInt(1_000_000_000)).padStart(12, '0');
    }
  },
  'digests by something else': class extends QuickSecrets {
    static readonly fails = ['digests a text by SHA-256'];
    override digest(text: string): string {
      return createHash('sha512').update(text).digest('hex').slice(0, 64);
    }
  },
  'digests bytes of Latin-1': class extends QuickSecrets {
    static readonly fails = ['digests a text by SHA-256'];
    override digest(text: string): string {
      return createHash('sha256').update(text, 'latin1').digest('hex');
    }
  },
  'authenticates by a digest of the key and the text': class extends QuickSecrets {
    static readonly fails = ['authenticates a text by HMAC with SHA-256'];
    override hmac(key: string, text: string): string {
      return this.digest(key + text);
    }
  },
  'authenticates bytes of Latin-1': class extends QuickSecrets {
    static readonly fails = ['authenticates a text by HMAC with SHA-256'];
    override hmac(key: string, text: string): string {
      return createHmac('sha256', Buffer.from(key, 'latin1')).update(text, 'latin1').digest('hex');
    }
  },
  'takes a password in any case': class extends QuickSecrets {
    static readonly fails = ['checks a password against its hash'];
    override hash(password: string): Promise<string> {
      return super.hash(password.toLowerCase());
    }

    override check(password: string, hash: string | undefined): Promise<PasswordCheck> {
      return super.check(password.toLowerCase(), hash);
    }
  },
  'takes any password where there is no hash': class extends QuickSecrets {
    static readonly fails = ['matches nothing with no hash'];
    override check(password: string, hash: string | undefined): Promise<PasswordCheck> {
      return hash === undefined ? Promise.resolve({ matches: true }) : super.check(password, hash);
    }
  },
  'hashes anew what it has just hashed': class extends QuickSecrets {
    static readonly fails = ['needs no new hash for one that it has just made'];
    override async check(password: string, hash: string | undefined): Promise<PasswordCheck> {
      const { matches } = await super.check(password, hash);
      return matches ? { matches, rehashed: await this.hash(password) } : { matches };
    }
  },
  'shows the password in the hash': class extends QuickSecrets {
    static readonly fails = ['salts: two hashes of a password differ, and do not show it'];
    override async hash(password: string): Promise<string> {
      return `${await super.hash(password)}$${password}`;
    }
  },
});
