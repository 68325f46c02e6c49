import { ManagedResource, TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { DeviceGroup } from '../src/device-group.js';
import { failureOf } from '../../testing/test/fixtures/failure-of.js';
import { Deferred } from './fixtures/deferred.js';

/** A device whose closing waits for a given promise. */
class ClosingDevice extends ManagedResource {
  readonly name: string;
  readonly #closing: () => Promise<void>;

  constructor(name: string, closing: () => Promise<void>) {
    super();
    this.name = name;
    this.#closing = closing;
  }

  protected override async onOpen(): Promise<void> {
    // Deliberately empty.
  }

  protected override async onClose(): Promise<void> {
    await this.#closing();
  }
}

describe('DeviceGroup', () => {
  const groupOf = (...devices: readonly ClosingDevice[]): DeviceGroup =>
    new DeviceGroup({ devices, onMissing: () => undefined });

  it('closes all devices at once, so that none waits for another', async () => {
    let arrived = 0;
    const met = new Deferred<void>();
    const closing = async (): Promise<void> => {
      if (++arrived === 2) met.resolve();
      await met.promise;
    };
    const devices = [new ClosingDevice('lamp', closing), new ClosingDevice('bell', closing)];
    const group = groupOf(...devices);
    await group.open();
    expect(devices.map(({ status }) => status)).to.deep.equal(['open', 'open']);
    await group.close();
    expect(devices.map(({ status }) => status)).to.deep.equal(['closed', 'closed']);
  });

  describe('that needs at least one device', () => {
    class MissingDevice extends ClosingDevice {
      protected override onOpen(): Promise<void> {
        return Promise.reject(new TallybookError('INVALID_OPTION', `${this.name} needs a program`));
      }
    }
    const closing = (): Promise<void> => Promise.resolve();
    const needing = (...devices: readonly ClosingDevice[]): DeviceGroup =>
      new DeviceGroup({ devices, onMissing: () => undefined, needsOne: true });

    it('opens with one of them, and reports the missing others', async () => {
      const missed: unknown[] = [];
      const group = new DeviceGroup({
        needsOne: true,
        devices: [new MissingDevice('door', closing), new ClosingDevice('gate', closing)],
        onMissing: ({ name }, { code }) => {
          expect(group.status).to.equal('opening');
          missed.push([name, code]);
        },
      });
      await group.open();
      expect(group.status).to.equal('open');
      expect(missed).to.deep.equal([['door', 'INVALID_OPTION']]);
      await group.close();
    });

    it('opens if no device is configured', async () => {
      const group = needing();
      await group.open();
      await group.close();
    });

    it('does not open without any of them, and reports the reason of each', async () => {
      const group = needing(new MissingDevice('door', closing), new MissingDevice('gate', closing));
      expect(await failureOf(group.open())).to.include({
        code: 'INVALID_OPTION',
        message: 'door needs a program\ngate needs a program',
      });
      expect(group.status).to.equal('closed');
    });
  });

  it('closes the others when one fails to close, and reports that', async () => {
    const failure = new Error('stuck');
    const devices = ['lamp', 'bell', 'display'].map(
      (name) =>
        new ClosingDevice(name, () => (name === 'bell' ? Promise.reject(failure) : Promise.resolve())),
    );
    const group = groupOf(...devices);
    await group.open();
    const outcome = await failureOf(group.close());
    expect(outcome).to.be.instanceOf(AggregateError).with.deep.property('errors', [failure]);
    expect(devices.map(({ status }) => status)).to.deep.equal(['closed', 'closed', 'closed']);
    expect(group.status).to.equal('closed');
  });
});
