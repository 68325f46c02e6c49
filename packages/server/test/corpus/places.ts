import { setImmediate } from 'node:timers/promises';
import { createTallybook } from '@tallybook/domain';
import { personal } from '@tallybook/domain/personal';
import { record } from '@tallybook/domain/record';
import { sync, type CentreSync, type SyncTransport } from '@tallybook/domain/sync';
import { ManualClock } from '@tallybook/testing';
import type { FullStorage } from '../../src/config/stores.js';

/** The time at all places: a corpus is read as if no time had passed. */
export const NOW = 1_796_000_000;

/** A place that runs until it is disposed of. */
interface Place extends AsyncDisposable {
  readonly clock: ManualClock;
}

export async function openCentre(storage: FullStorage): Promise<Place & { readonly centre: CentreSync }> {
  const clock = new ManualClock(NOW);
  const place = createTallybook({
    ...{ storage, clock, calendar: {} },
    with: [record(), personal(), sync()],
  });
  await place.open();
  if (place.centre === undefined) throw new Error('it is no centre');
  return { clock, centre: place.centre, [Symbol.asyncDispose]: () => place.close() };
}

export async function openStation(storage: FullStorage, transport: SyncTransport): Promise<Place> {
  const clock = new ManualClock(NOW);
  const place = createTallybook({
    ...{ storage, clock, calendar: {} },
    with: [record(), personal(), sync({ transport, host: 'centre', version: 'corpus' })],
  });
  await place.open();
  return { clock, [Symbol.asyncDispose]: () => place.close() };
}

/** Lets places do what they can do without much time. */
export async function settle(...places: readonly Place[]): Promise<void> {
  for (let second = 0; second < 20; second++) {
    for (let turn = 0; turn < 40; turn++) await setImmediate();
    for (const { clock } of places) clock.advance(1_000);
  }
}
