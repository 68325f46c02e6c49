import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { prepareStop } from '../../src/pcsc/pcsc-client.js';
import { ScriptedReader } from './scripted-pcsc.js';

class Client extends EventEmitter {
  stoppedMs = NaN;

  start(): void {
    this.stoppedMs = NaN;
  }

  stop(): void {
    this.stoppedMs = performance.now();
  }
}

describe('A client of pcscd', () => {
  const events: readonly (readonly [
    name: string,
    happen: (client: Client, reader: ScriptedReader) => void,
  ])[] = [
    ['a reader was reported', (client) => client.emit('reader', new ScriptedReader('other'))],
    ['the state of a reader changed', (_client, reader) => reader.emit('change')],
    ['a reader was unplugged', (_client, reader) => reader.emit('disconnect')],
  ];
  for (const [name, happen] of events) {
    it(`is not stopped until a tenth of a second after ${name}`, async () => {
      const client = new Client();
      const stop = prepareStop(client);
      const reader = new ScriptedReader('ACR122U 00 00');
      client.emit('reader', reader);
      await pause(120);
      happen(client, reader);
      const happenedMs = performance.now();
      await stop();
      expect(client.stoppedMs - happenedMs).to.be.at.least(99);
    });
  }

  it('is stopped at once after a long time without events', async () => {
    const client = new Client();
    const stop = prepareStop(client);
    await pause(120);
    void stop();
    expect(client.stoppedMs).to.be.a('number').and.not.NaN;
  });
});
