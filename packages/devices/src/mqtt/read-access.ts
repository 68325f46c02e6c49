import { readFile } from 'node:fs/promises';
import type { Broker } from './broker.js';

/** What opens a broker. */
export interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** A file that is needed cannot be used; the message says which and why, and holds nothing of what is in it. */
export class AccessFileError extends Error {
  override readonly name = 'AccessFileError';
}

/** Reads the files that a broker names. Rejects with an {@link AccessFileError}. */
export async function readAccess(broker: Broker, env: NodeJS.ProcessEnv): Promise<Access> {
  const [credentials, ca, cert, key] = await Promise.all([
    broker.credentialsFile === undefined ? fromEnvironment(env) : readCredentials(broker.credentialsFile),
    read(broker.caFile),
    read(broker.certFile),
    read(broker.keyFile),
  ]);
  return { ...credentials, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function fromEnvironment(env: NodeJS.ProcessEnv): Access {
  const username = env['TALLYBOOK_MQTT_USERNAME'];
  const password = env['TALLYBOOK_MQTT_PASSWORD'];
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

async function readCredentials(file: string): Promise<Access> {
  const [line = ''] = String(await read(file)).split(/\r?\n/, 1);
  const colon = line.indexOf(':');
  if (colon < 1) throw new AccessFileError(`the first line of ${file} is not user:password`);
  return { username: line.slice(0, colon), password: line.slice(colon + 1) };
}

async function read(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file);
  } catch (cause) {
    throw new AccessFileError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
