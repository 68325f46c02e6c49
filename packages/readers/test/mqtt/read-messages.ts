import type { TallybookError } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import type { PluggableBroker } from '../../../devices/test/mqtt/pluggable-broker.js';
import { createReader } from '../../src/index.js';

/** No id in any spelling. */
export const END = '\uFFFD\uFFFD\uFFFD';

/**
 * Publishes messages to a reader `door` with these parameters. Resolves with its ids, with the name of the reader before
 * them, and its faults.
 * @param end A message that gives a fault: messages are taken in order, so that then all others were taken.
 */
export async function readMessages(
  broker: PluggableBroker,
  parameters: string,
  payloads: readonly string[],
  describe: (error: TallybookError) => string,
  end = END,
): Promise<readonly string[]> {
  const url = `mqtt://127.0.0.1:${broker.port}/tags?name=door&${parameters}`;
  const reader = createReader(url, { clock: new ManualClock() });
  const connections = new Recorder(reader.connections);
  const results: string[] = [];
  reader.readings.subscribe(({ id, reader: name }) => results.push(`${name} ${id}`));
  reader.faults.subscribe(({ error }) => results.push(describe(error)));
  const faults = new Recorder<string>({
    subscribe: (next) => reader.faults.subscribe(({ error }) => next(error.message)),
  });
  await reader.open();
  await connections.count(1);
  for (const payload of [...payloads, end]) await broker.publish('tags', payload);
  await faults.find('the end', (message) => /got 3 (?:other )?characters/.test(message));
  await reader.close();
  return results.slice(0, -1);
}
