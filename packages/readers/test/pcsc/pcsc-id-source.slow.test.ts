import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { idSourceContract } from '@tallybook/testing';
import { expect } from 'chai';
import { createReader, PcscIdSource, type PcscOptions } from '../../src/index.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { RecordedSource } from '../fixtures/recorded-source.js';
import { itRefusesUrls } from '../fixtures/refused-urls.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { findNoVirtualReader, VirtualCardReader, type Answer } from './virtual-card-reader.js';

const clock = new RunningClock();
const ADA = '04A2B3C4D5E680';
const BOB = '7F00000001E680';

/** Leaves the tests out where they cannot run, and says why. */
function needVirtualReader(this: Mocha.Context): void {
  const reason = findNoVirtualReader();
  if (reason !== undefined) this.skip(reason);
}

type Subject = RecordedSource<PcscIdSource>;
const record = (options: Partial<PcscOptions> = {}): Subject =>
  new RecordedSource((retryDelayMs) => new PcscIdSource({ retryDelayMs, ...options }, clock), 20);

describe('With a virtual PC/SC reader,', () => {
  const device = new VirtualCardReader();

  before(needVirtualReader);

  after(() => device.dispose());

  idSourceContract(
    { describe, it },
    {
      name: 'PcscIdSource',
      clock,
      pluggable: true,
      make: async () => {
        await device.restart();
        const source = new PcscIdSource({ retryDelayMs: () => 20 }, clock);
        const present = async (...answers: Answer[]): Promise<void> => {
          const isRead = source.connection === 'connected';
          const card = await device.insert(0, ...answers);
          if (isRead) await card.asked;
          card.remove();
        };
        return {
          source,
          present: (id) => present(`${id}9000`),
          garble: () => present('6A81'),
          unplug: () => device.kill(),
          plug: () => device.start(),
          cleanup: () => source.close(),
        };
      },
    },
  );

  describe('PcscIdSource', () => {
    let subject: Subject;

    beforeEach(() => device.restart());

    afterEach(() => subject.source.close());

    async function open(options?: Partial<PcscOptions>): Promise<void> {
      // The wait without a reader before it reports that.
      using _ = new RecordedTimers([500]);
      subject = record(options);
      await subject.source.open();
      await subject.connected();
    }

    it('asks a card for its UID once, regardless of how long it lies there', async () => {
      await open();
      const card = await device.insert(0, `${ADA}9000`);
      await subject.ids.count(1);
      const other = await device.insert(1, `${BOB}9000`);
      expect(await subject.ids.count(2)).to.deep.equal([ADA, BOB]);
      expect(card.commands).to.deep.equal(['ffca000000']);
      card.remove();
      other.remove();
    });

    it('reads a card that replaces another at once', async () => {
      await open();
      for (const id of [ADA, BOB, ADA]) {
        const card = await device.insert(0, `${id}9000`);
        await card.asked;
        card.remove();
      }
      expect(await subject.ids.count(3)).to.deep.equal([ADA, BOB, ADA]);
    });

    it('reads the readers with a name only', async () => {
      await open({ match: 'pcd 00 01' });
      const first = await device.insert(0, `${ADA}9000`);
      const second = await device.insert(1, `${BOB}9000`);
      expect(await subject.ids.count(1)).to.deep.equal([BOB]);
      expect(first.commands).to.be.empty;
      first.remove();
      second.remove();
    });

    it('distinguishes readers with two sources', async () => {
      await open({ match: '00 00', name: 'door' });
      const desk = record({ match: '00 01', name: 'desk' });
      await desk.source.open();
      await desk.connected();
      const first = await device.insert(0, `${ADA}9000`);
      const second = await device.insert(1, `${BOB}9000`);
      expect(await subject.ids.count(1)).to.deep.equal([ADA]);
      expect(await desk.ids.count(1)).to.deep.equal([BOB]);
      first.remove();
      second.remove();
      await desk.source.close();
    });

    it('asks again with the number of bytes that the reader demands', async () => {
      await open();
      const card = await device.insert(0, '6C07', `${ADA}9000`);
      expect(await subject.ids.count(1)).to.deep.equal([ADA]);
      expect(card.commands).to.deep.equal(['ffca000000', 'ffca000007']);
      card.remove();
    });

    it('asks no third time', async () => {
      await open();
      const card = await device.insert(0, '6C07');
      expect(await subject.problems.count(1)).to.deep.equal(['no length']);
      card.remove();
    });

    it('reports a card that was taken away while it was asked, and reads the next', async () => {
      await open();
      const card = await device.insert(0, undefined);
      await card.asked;
      card.remove();
      expect(await subject.problems.count(1)).to.deep.equal(['taken away']);
      // Into the other slot: in the same slot the daemon might see no change of cards.
      const next = await device.insert(1, `${ADA}9000`);
      expect(await subject.ids.count(1)).to.deep.equal([ADA]);
      next.remove();
    });

    it('is closed while a card does not answer', async () => {
      await open();
      const card = await device.insert(0, undefined);
      await card.asked;
      await subject.source.close();
      expect(subject.problems.values).to.be.empty;
      card.remove();
    });

    it('lets the process do other things while pcscd ends and is away', async () => {
      await open();
      let longestMs = 0;
      let lastMs = performance.now();
      const timer = setInterval(() => {
        const nowMs = performance.now();
        longestMs = Math.max(longestMs, nowMs - lastMs);
        lastMs = nowMs;
      }, 5);
      await device.kill();
      await subject.attempts.count(10);
      clearInterval(timer);
      expect(longestMs).to.be.below(1_000);
      expect(subject.problems.values).to.deep.equal(['no-service']);
      expect(subject.messages[0]).to.contain('systemctl enable --now pcscd.socket');
      await device.start();
      await subject.connected(2);
      const card = await device.insert(0, `${ADA}9000`);
      expect(await subject.ids.count(1)).to.deep.equal([ADA]);
      card.remove();
    });

    it('reports that pcscd does not run when it ends before its answer', async () => {
      device.killWhenAsked();
      subject = record();
      await subject.source.open();
      expect(subject.problems.values).to.deep.equal(['no-service']);
      await device.start();
      await subject.connected();
    });

    it('survives clients that lost pcscd, whose garbage collection would end the process', async () => {
      await open();
      for (let connection = 2; connection <= 4; connection++) {
        await device.kill();
        await subject.connections.find('waiting', () => subject.source.connection === 'waiting');
        await device.start();
        await subject.connected(connection);
      }
      await collectGarbage();
      expect(subject.source.connection).to.equal('connected');
    });

    it('reports once that no reader has the name, and finds the reader when it is there', async () => {
      await device.kill();
      await device.start(false);
      subject = record({ match: 'Virtual' });
      await subject.source.open();
      expect(subject.source.connection).to.equal('waiting');
      await subject.problems.find('missing', (reason) => reason === 'missing');
      await device.kill();
      await device.start();
      await subject.connected();
      expect(subject.messages.join()).to.contain('the PC/SC reader "Virtual" is missing');
    });
  });
});

/** Collects garbage, and lets finalisers run. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 10; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('The URL of a PC/SC reader', () => {
  itRefusesUrls([
    ['pcsc:a%00', 'path', 'named by a part of its name, such as ACR122'],
    ['pcsc:?baud=9600', 'baud', 'allowed are format, keep, name, order'],
  ]);

  it('names it after the part of its name, or by the given name', () => {
    expect(record().source.name).to.equal('pcsc:');
    expect(createReader('pcsc:ACR122U%20PICC', { clock }))
      .to.be.instanceOf(PcscIdSource)
      .with.property('name', 'pcsc:ACR122U PICC');
    expect(createReader('pcsc:?keep=4&name=desk', { clock }).name).to.equal('desk');
  });
});
