import { AccessFileError, readSmallFile } from '../read-small-file.js';
import type { Broker } from './broker.js';

/** Credentials and certificates for a broker. */
export interface Access {
  readonly username?: string;
  readonly password?: string;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
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
  return file === undefined ? undefined : readSmallFile(parameter, file);
}
