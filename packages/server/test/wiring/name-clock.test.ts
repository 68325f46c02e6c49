import { Timekeeper } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { NameClock } from '../../src/wiring/name-clock.js';

const NOW = 1_763_700_000;

describe('NameClock', () => {
  async function open(
    takesAnyTime: boolean,
  ): Promise<{ readonly clock: ManualClock; readonly names: NameClock }> {
    const clock = new ManualClock(NOW);
    const journal = { origin: () => Promise.resolve('here') };
    const names = new NameClock(() => ({ timekeeper: new Timekeeper(clock), journal, takesAnyTime }));
    await names.open();
    return { clock, names };
  }

  it('stamps with the id of the journal, in milliseconds', async () => {
    const { names } = await open(false);
    expect([names.node, names.now()]).to.deep.equal(['here', NOW * 1_000]);
  });

  it('knows no time at a station while its clock is in doubt', async () => {
    const { clock, names } = await open(false);
    clock.setSynchronised(false);
    expect(names.now()).to.equal(undefined);
  });

  it('uses every time at a centre, where nobody else stamps', async () => {
    const { clock, names } = await open(true);
    clock.setSynchronised(false);
    expect(names.now()).to.equal(NOW * 1_000);
  });
});
