import { parseTallyId, TallybookError, type Signal } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { BaseIndicator, type Display } from '../src/device-indicator.js';

/** An indicator whose device a test controls. */
class HeldIndicator extends BaseIndicator {
  readonly displayed: Display[] = [];

  tap(signal: Signal): void {
    this.show({ signal, id: parseTallyId('04A2B3C4D5'), reader: 'door' });
  }

  fail(): void {
    this.report(new TallybookError('OUTPUT_FAILED', 'no lamp'));
  }

  connect(connection: 'connected' | 'waiting'): void {
    if (connection === 'connected') this.connected();
    else this.disconnected();
  }

  protected override display(display: Display): void {
    this.displayed.push(display);
  }

  protected override onOpen(): Promise<void> {
    this.begin();
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}

describe('BaseIndicator', () => {
  it('shows nothing and reports no fault while it is closed', async () => {
    const indicator = new HeldIndicator({ name: 'lamp' });
    const faults = new Recorder(indicator.faults);
    const use = (): void => {
      indicator.tap('counted');
      indicator.fail();
    };
    use();
    expect([indicator.displayed, faults.values]).to.deep.equal([[], []]);
    await indicator.open();
    use();
    expect(indicator.displayed).to.deep.equal(['counted']);
    expect(faults.values.map(({ code }) => code)).to.deep.equal(['OUTPUT_FAILED']);
    await indicator.close();
    use();
    expect([indicator.displayed.length, faults.values.length]).to.deep.equal([1, 1]);
  });

  it('reports news of its device, which is missing at first', async () => {
    const indicator = new HeldIndicator({ name: 'lamp' });
    const connections = new Recorder(indicator.connections);
    await indicator.open();
    for (const connection of ['waiting', 'connected', 'connected', 'waiting', 'waiting'] as const)
      indicator.connect(connection);
    expect(connections.values).to.deep.equal(['connected', 'waiting']);
    await indicator.close();
    indicator.connect('connected');
    expect(connections.values).to.have.length(2);
  });

  it('shows its start when its device is there for the first time, after each opening', async () => {
    const indicator = new HeldIndicator({ name: 'lamp' });
    for (let times = 1; times <= 2; times++) {
      await indicator.open();
      for (const connection of ['connected', 'waiting', 'connected'] as const) indicator.connect(connection);
      expect(indicator.displayed).to.have.length(times);
      await indicator.close();
    }
    expect(indicator.displayed).to.deep.equal(['started', 'started']);
  });
});
