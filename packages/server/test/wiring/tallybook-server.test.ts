import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { TallybookError } from '@tallybook/domain';
import { serviceId, SystemClock, type TallybookServer } from '@tallybook/server';
import { MemoryMappingStore, MemoryStorage } from '@tallybook/testing';
import { failureOf } from '../fixtures/failure-of.js';
import { recordedLog } from '../fixtures/logged.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { rebindParts } from '../fixtures/stores/rebind-parts.js';
import { containerOf } from '../fixtures/container-of.js';

describe('TallybookServer', () => {
  const folder = temporaryFolder();

  /** A server whose clock is in use until its mapping is opened by `openMapping`. */
  function serverWith(openMapping: () => Promise<void>): {
    readonly server: TallybookServer;
    readonly clock: SystemClock;
  } {
    let resolve = (): void => undefined;
    const asked = new Promise<void>((done) => (resolve = done));
    class AskedClock extends SystemClock {
      protected override onOpen(): Promise<void> {
        return asked;
      }
    }
    class LateStorage extends MemoryStorage {
      override async open(): Promise<void> {
        resolve();
        await openMapping();
        await super.open();
      }
    }
    const clock = new AskedClock();
    const container = containerOf(
      { reader: [] },
      { systemClock: clock, storage: new LateStorage(), idSources: [] },
    );
    return { server: container.get(serviceId('server')), clock };
  }

  it('opens the stores while the system is asked about its clock', async () => {
    let statusMeanwhile: string | undefined;
    const { server, clock } = serverWith(async () => {
      await new Promise(setImmediate);
      statusMeanwhile = clock.status;
    });
    await server.open();
    expect(statusMeanwhile).to.not.equal('closed');
    expect(clock.status).to.equal('open');
    await server.close();
    expect(clock.status).to.equal('closed');
  });

  it('makes its other parts while LevelDB opens the files of the store', async () => {
    const settings = { store: `level:${folder.path('store')}`, reader: [] };
    const container = containerOf(settings);
    const app = containerOf(settings).get(serviceId('app'));
    const statusWhenMade: string[] = [];
    container.rebind(serviceId('app')).toDynamicValue(() => {
      statusWhenMade.push(container.get(serviceId('storage')).status);
      return app;
    });
    await using server = container.get(serviceId('server'));
    await server.open();
    expect(statusWhenMade[0]).to.equal('opening');
  });

  it('asks the system about its clock while LevelDB opens the files of the store', async () => {
    const container = containerOf({ store: `level:${folder.path('store')}`, reader: [] });
    let isChecked = false;
    void container.get(serviceId('storesWait')).promise.then(() => (isChecked = true));
    const asked: unknown[] = [];
    class NotingClock extends SystemClock {
      protected override onOpen(): Promise<void> {
        asked.push({ isChecked, store: container.get(serviceId('storage')).status });
        return Promise.resolve();
      }
    }
    container.rebind(serviceId('systemClock')).toConstantValue(new NotingClock());
    await using server = container.get(serviceId('server'));
    await server.open();
    expect(asked).to.deep.equal([{ isChecked: true, store: 'opening' }]);
  });

  it('closes the store when another part cannot be made', async () => {
    const container = containerOf({ store: `level:${folder.path('store')}`, reader: [] });
    const failure = new TallybookError('INVALID_OPTION', 'no such page');
    container.rebind(serviceId('app')).toDynamicValue(() => {
      throw failure;
    });
    expect(await failureOf(container.get(serviceId('server')).open(), 'INVALID_OPTION')).to.equal(
      'no such page',
    );
    expect(container.get(serviceId('storage')).status).to.equal('closed');
    expect(container.get(serviceId('systemClock')).status).to.equal('closed');
  });

  for (const fails of ['makes', 'opens'] as const) {
    it(`rejects with the reason, and logs that a store could not be closed, when it ${fails} a part`, async () => {
      const failure = new TallybookError('LISTEN_FAILED', 'the port is taken');
      const other = new TallybookError('STORE_WRITE_FAILED', 'the disk is gone');
      class UnclosableStore extends MemoryMappingStore {
        override async close(): Promise<void> {
          await super.close();
          throw other;
        }
      }
      class FailingClock extends SystemClock {
        protected override onOpen(): Promise<void> {
          return fails === 'opens' ? Promise.reject(failure) : super.onOpen();
        }
      }
      const { log, lines } = recordedLog();
      const clock = new FailingClock();
      const container = containerOf({ reader: [] }, { log, systemClock: clock });
      rebindParts(container, { mapping: new UnclosableStore() });
      if (fails === 'makes') {
        container.rebind(serviceId('app')).toDynamicValue(() => {
          throw failure;
        });
      }
      const outcome = await container
        .get(serviceId('server'))
        .open()
        .catch((error: unknown) => error);
      expect(outcome).to.equal(failure);
      const said = await lines.find('what could not be closed', ({ msg }) =>
        msg.includes('could not be closed'),
      );
      expect(said['err']).to.have.property('message', 'the disk is gone');
      expect(clock.status).to.equal('closed');
    });
  }

  it('makes no store when the certificate cannot be read', async () => {
    const tls = { tlsCert: folder.path('none.pem'), tlsKey: folder.path('none.key') };
    const store = folder.path('store');
    const server = containerOf({ store: `level:${store}`, reader: [], ...tls }).get(serviceId('server'));
    expect(await failureOf(server.open(), 'INVALID_OPTION')).to.match(
      /^--tls-cert: .*none\.pem.* cannot be read/,
    );
    expect(existsSync(store)).to.equal(false);
  });

  it('closes the clock when a store cannot be opened', async () => {
    const failure = new TallybookError('STORE_UNAVAILABLE', 'no disk');
    const { server, clock } = serverWith(() => Promise.reject(failure));
    const outcome = await server.open().catch((error: unknown) => error);
    expect(outcome).to.equal(failure);
    expect(clock.status).to.equal('closed');
  });
});
