import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Broker } from './broker.js';

/**
 * Makes a client id of the machine, the broker and the purpose of the connection. It is the same after every start.
 * Devices of one image have the same host name, so the machine id is part of it too. The machine id is a secret
 * (machine-id(5)), so only a hash of it is sent. The client id has 22 characters, because brokers may refuse more than
 * 23.
 */
export async function createDefaultClientId({ host, port }: Broker, purpose: string): Promise<string> {
  const machineId = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const whole = JSON.stringify([hostname(), machineId.trim(), host, port, purpose]);
  return `tallybook-${createHash('sha256').update(whole).digest('hex').slice(0, 12)}`;
}
