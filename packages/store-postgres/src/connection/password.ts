import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlStateOf } from './postgres-errors.js';
import type { PasswordSource } from './postgres-url.js';

/** The host, the database and the user of a connection. */
interface Asked {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

const REFUSED = '28P01';
const OTHERS = 0o077;

/** Finds the password in PGPASSFILE, or in `~/.pgpass`. Rejects with the place if it has none, or if others may read the file. */
export async function readPassword({ host, port, user, database }: Asked): Promise<string> {
  const { default: pgpass } = await import('pgpass');
  const found = await new Promise<string | undefined>((resolve) => {
    pgpass({ host, port, user, database }, resolve);
  });
  if (found !== undefined) return found;
  const reason = await reasonOfNone(`${host}:${port}:${database}:${user}`);
  throw new Error(
    `no password of ${user} is given: none in the URL or in PGPASSWORD, and ${passwordFile()} ${reason}`,
  );
}

/** The error; if the password is wrong, the message says where it came from. */
export function explainRefusal(
  error: unknown,
  { passwordFrom, ...asked }: Asked & { readonly passwordFrom: PasswordSource | undefined },
): unknown {
  if (!(error instanceof Error) || sqlStateOf(error) !== REFUSED) return error;
  const { host, port, database, user } = asked;
  const file = `the line for ${host}:${port}:${database}:${user} in ${passwordFile()}`;
  error.message += `; the password came from ${passwordFrom ?? file}`;
  return error;
}

async function reasonOfNone(line: string): Promise<string> {
  try {
    const { mode } = await stat(passwordFile());
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      return 'is not read, since others may read it: chmod 600';
    return `has no line for ${line}`;
  } catch {
    return 'cannot be read';
  }
}

/** The file that `pgpass` reads. */
function passwordFile(): string {
  return process.env['PGPASSFILE'] ?? join(process.env['HOME'] ?? './', '.pgpass');
}
