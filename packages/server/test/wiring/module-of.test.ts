import { expect } from 'chai';
import { Container } from 'inversify';
import { Calendar, NameService } from '@tallybook/domain';
import { createContainer, loadConfig, moduleOf, serviceId } from '@tallybook/server';
import { MemoryStorage } from '@tallybook/store-memory';

describe('moduleOf', () => {
  it('makes a service once at its first use, from the services that its recipe reads', () => {
    const made: string[] = [];
    const container = new Container();
    container.load(
      moduleOf({
        storage: () => {
          made.push('storage');
          return new MemoryStorage();
        },
        names: ({ storage }) => {
          made.push('names');
          return new NameService(storage.mapping);
        },
      }),
    );
    expect(made).to.deep.equal([]);
    const names = container.get(serviceId('names'));
    expect(container.get(serviceId('names'))).to.equal(names);
    expect(made).to.deep.equal(['storage', 'names']);
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
        app: ({ names }) => names as never,
        names: ({ edited }) => new NameService(edited.mapping),
        edited: ({ storage }) => storage,
      }),
      moduleOf({ storage: ({ names }) => names as never, calendar: () => new Calendar() }),
    );
    for (let n = 0; n < 2; n++) {
      expect(() => container.get(serviceId('listener'))).to.throw(
        'services need each other in a circle: names -> edited -> storage -> names',
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
    container.load(moduleOf({ names: ({ storage }) => new NameService(storage.mapping) }));
    expect(() => container.get(serviceId('names'))).to.throw('tallybook.storage');
  });

  it('uses a replaced service', () => {
    const container = createContainer(loadConfig({ store: 'memory:', logLevel: 'silent' }, {}));
    const storage = new MemoryStorage();
    container.rebind(serviceId('storage')).toConstantValue(storage);
    expect(container.get(serviceId('edited'))).to.equal(storage);
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
