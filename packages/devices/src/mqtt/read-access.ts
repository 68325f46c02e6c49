import { readFile, stat } from 'node:fs/promises';
import type { Broker } from './broker.js';

/** Credentials and certificates for a broker. */
export interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Most bytes of such a file; the bundle that a distribution brings has about 200 KiB. */
const MAX_BYTES = 1_048_576;

const MISSING = 'is missing; correct the path, or create the file';
const FORBIDDEN = 'may not be read by this user; give it the right, with chown or chmod';
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EISDIR: 'is a folder; name the file in it',
};

/** A needed file cannot be used; the message says which and why, without its content. */
export class AccessFileError extends Error {
  override readonly name = 'AccessFileError';
}

/** Reads the files of a broker. Rejects with an {@link AccessFileError}. */
export async function readAccess(broker: Broker, env: NodeJS.ProcessEnv): Promise<Access> {
  const [credentials, ca, cert, key] = await Promise.all([
    broker.credentialsFile === undefined ? fromEnvironment(env) : readCredentials(broker.credentialsFile),
    read('ca', broker.caFile),
    read('cert', broker.certFile),
    read('key', broker.keyFile),
  ]);
  return { ...credentials, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

/** Why a file cannot be read, and what to do, by the code of the operating system. */
export function describeFileProblem(code = 'unknown'): string {
  return FILE_PROBLEMS[code] ?? `cannot be read (${code})`;
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
  const [line = ''] = String(await read('credentials', file)).split(/\r?\n/, 1);
  const colon = line.indexOf(':');
  if (colon < 1) throw new AccessFileError(`the first line of credentials=${file} is not user:password`);
  return { username: line.slice(0, colon), password: line.slice(colon + 1) };
}

async function read(parameter: string, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const fail = (problem: string, options?: ErrorOptions): never => {
    throw new AccessFileError(`${parameter}=${file} ${problem}`, options);
  };
  const failBy = (cause: unknown): never =>
    fail(describeFileProblem((cause as NodeJS.ErrnoException).code), { cause });
  const found = await stat(file).catch(failBy);
  // Reading a pipe may wait for ever, and reading a device never end.
  if (!found.isFile() && !found.isDirectory()) fail('is a pipe or a device; name a plain file');
  if (found.size > MAX_BYTES) fail(`has more than ${MAX_BYTES} bytes; name a smaller one`);
  return await readFile(file).catch(failBy);
}
