import { expect } from 'chai';
import { Container } from 'inversify';
import { Calendar, Timekeeper } from '@tallybook/domain';
import { moduleOf, serviceId } from '@tallybook/server';
import { ManualClock, MemoryStorage } from '@tallybook/testing';
import { containerOf } from '../fixtures/container-of.js';

describe('moduleOf', () => {
  it('makes a service once at its first use, from the services that its recipe reads', () => {
    const made: string[] = [];
    const container = new Container();
    container.load(
      moduleOf({
        clock: () => {
          made.push('clock');
          return new ManualClock();
        },
        timekeeper: ({ clock }) => {
          made.push('timekeeper');
          return new Timekeeper(clock);
        },
      }),
    );
    expect(made).to.deep.equal([]);
    const timekeeper = container.get(serviceId('timekeeper'));
    expect(container.get(serviceId('timekeeper'))).to.equal(timekeeper);
    expect(made).to.deep.equal(['clock', 'timekeeper']);
  });

  it('makes no service that no recipe has read', () => {
    const container = new Container();
    container.load(
      moduleOf({
        storage: () => {
          throw new Error('made');
        },
        calendar: () => new Calendar(),
      }),
    );
    expect(container.get(serviceId('calendar'))).to.be.an.instanceOf(Calendar);
  });

  it('names all services of a circle, and can make others afterwards', () => {
    const container = new Container();
    container.load(
      moduleOf({
        // Outside of the circle, so it is not named.
        listener: ({ app }) => app as never,
        app: ({ tallybook }) => tallybook as never,
        tallybook: ({ publishers }) => publishers as never,
        publishers: ({ storage }) => storage as never,
      }),
      moduleOf({ storage: ({ tallybook }) => tallybook as never, calendar: () => new Calendar() }),
    );
    for (let n = 0; n < 2; n++) {
      expect(() => container.get(serviceId('listener'))).to.throw(
        'services need each other in a circle: tallybook -> publishers -> storage -> tallybook',
      );
    }
    expect(container.get(serviceId('calendar'))).to.be.an.instanceOf(Calendar);
  });

  it('does not mix circles of different containers', () => {
    const inner = new Container();
    inner.load(moduleOf({ calendar: () => new Calendar({ zone: 'Europe/Berlin' }) }));
    const outer = new Container();
    outer.load(moduleOf({ calendar: () => inner.get(serviceId('calendar')) }));
    expect(outer.get(serviceId('calendar'))).to.equal(inner.get(serviceId('calendar')));
  });

  it('names a missing service', () => {
    const container = new Container();
    container.load(moduleOf({ timekeeper: ({ clock }) => new Timekeeper(clock) }));
    expect(() => container.get(serviceId('timekeeper'))).to.throw('tallybook.clock');
  });

  it('uses a replaced service', () => {
    const container = containerOf();
    const storage = new MemoryStorage();
    container.rebind(serviceId('storage')).toConstantValue(storage);
    expect(container.get(serviceId('tallybook')).storage).to.equal(storage);
  });

  it('cannot replace a service that others use already', () => {
    const container = containerOf();
    container.get(serviceId('timekeeper'));
    for (const name of ['clock', 'timekeeper'] as const) {
      expect(() => container.rebind(serviceId(name))).to.throw(TypeError, `${name} is in use already`);
    }
    container.rebind(serviceId('storage')).toConstantValue(new MemoryStorage());
    container.rebind(serviceId('storage')).toConstantValue(new MemoryStorage());
  });

  it('does not compile with an unknown name, or a service of another type', () => {
    // @ts-expect-error There is no service of this name.
    moduleOf({ nmaes: () => new Calendar() });
    // @ts-expect-error No recipe can read this name.
    moduleOf({ calendar: ({ callendar }) => callendar as Calendar });
    // @ts-expect-error A calendar is no clock.
    moduleOf({ clock: ({ calendar }) => calendar });
    // @ts-expect-error An optional service may be missing.
    moduleOf({ indicator: ({ indicator }) => ({ show: (shown) => indicator.show(shown) }) });
  });
});
