import { expect } from 'chai';
import pino from 'pino';
import { TallybookError, type Indication } from '@tallybook/domain';
import { createContainer, loadConfig, serviceId, type Services } from '@tallybook/server';
import { ManualClock, MemoryDayStore, ScriptedIdSource } from '@tallybook/testing';

const config = loadConfig({ port: '0', store: 'memory:', logLevel: 'silent' }, {});

describe('createContainer', () => {
  it('can make everything that it names, without opening anything', () => {
    const container = createContainer(config);
    const names: (keyof Services)[] = [
      'config',
      'log',
      'clock',
      'calendar',
      'stores',
      'mappingStore',
      'dayStore',
      'idSources',
      'attendance',
      'names',
      'backup',
      'events',
      'app',
      'listener',
      'attendanceLog',
      'server',
    ];
    for (const name of names) expect(container.get(serviceId(name)), name).to.be.an.instanceOf(Object);
    expect(container.get(serviceId('server')).status).to.equal('closed');
    expect(container.get(serviceId('dayStore')).status).to.equal('closed');
  });

  it('makes each service once', () => {
    const container = createContainer(config);
    expect(container.get(serviceId('dayStore'))).to.equal(container.get(serviceId('stores')).days);
    expect(container.get(serviceId('server'))).to.equal(container.get(serviceId('server')));
  });

  it('lets a device bring its own indicator, and tells it of a disk that refuses a write while the service goes on', async () => {
    let isFull = true;
    class FullDayStore extends MemoryDayStore {
      override record(...scan: Parameters<MemoryDayStore['record']>): ReturnType<MemoryDayStore['record']> {
        return isFull
          ? Promise.reject(new TallybookError('STORE_WRITE_FAILED', 'disk full'))
          : super.record(...scan);
      }
    }
    const indications: Indication[] = [];
    const lines: string[] = [];
    const clock = new ManualClock();
    const source = new ScriptedIdSource(clock);
    const container = createContainer(config);
    container
      .rebind(serviceId('log'))
      .toConstantValue(pino({}, { write: (line: string) => void lines.push(line) }));
    container.rebind(serviceId('clock')).toConstantValue(clock);
    container.rebind(serviceId('dayStore')).toConstantValue(new FullDayStore());
    container.rebind(serviceId('idSources')).toConstantValue([source]);
    container
      .bind(serviceId('indicator'))
      .toConstantValue({ show: (indication) => void indications.push(indication) });

    await using server = container.get(serviceId('server'));
    await server.open();
    const attendance = container.get(serviceId('attendance'));
    source.present('04A2B3C4D5');
    await attendance.settled();
    isFull = false;
    clock.advance(1000);
    source.present('04A2B3C4D5');
    await attendance.settled();
    expect(indications.map(({ signal }) => signal)).to.deep.equal(['failed', 'unknown']);
    expect(lines.filter((line) => line.includes('STORE_WRITE_FAILED'))).to.have.length(1);
    expect((await fetch(`${server.url}/api/day?day=20413`)).status).to.equal(200);
  });
});
