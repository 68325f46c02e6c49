import { expect } from 'chai';
import { Container } from 'inversify';
import { Calendar, NameService } from '@tallybook/domain';
import { createContainer, loadConfig, moduleOf, serviceId } from '@tallybook/server';
import { MemoryMappingStore } from '@tallybook/testing';

describe('moduleOf', () => {
  it('makes a service when it is first read, once, from what its recipe reads', () => {
    const made: string[] = [];
    const container = new Container();
    container.load(
      moduleOf({
        mappingStore: () => {
          made.push('mappingStore');
          return new MemoryMappingStore();
        },
        names: ({ mappingStore }) => {
          made.push('names');
          return new NameService(mappingStore);
        },
      }),
    );
    expect(made).to.deep.equal([]);
    const names = container.get(serviceId('names'));
    expect(container.get(serviceId('names'))).to.equal(names);
    expect(made).to.deep.equal(['mappingStore', 'names']);
  });

  it('makes no service that a recipe could have read and did not', () => {
    const container = new Container();
    container.load(
      moduleOf({
        mappingStore: () => {
          throw new Error('made');
        },
        calendar: () => new Calendar(),
      }),
    );
    expect(container.get(serviceId('calendar'))).to.be.an.instanceOf(Calendar);
  });

  it('names all services of a circle, and goes on making others', () => {
    const container = new Container();
    container.load(
      moduleOf({
        // Outside of the circle, so it is not named.
        listener: ({ app }) => app as never,
        app: ({ names }) => names as never,
        names: ({ mappingStore }) => new NameService(mappingStore),
        mappingStore: ({ stores }) => stores.mapping,
      }),
      moduleOf({ stores: ({ names }) => names as never, calendar: () => new Calendar() }),
    );
    for (let n = 0; n < 2; n++) {
      expect(() => container.get(serviceId('listener'))).to.throw(
        'services need each other in a circle: names -> mappingStore -> stores -> names',
      );
    }
    expect(container.get(serviceId('calendar'))).to.be.an.instanceOf(Calendar);
  });

  it('takes no service of another container for a part of a circle', () => {
    const inner = new Container();
    inner.load(moduleOf({ calendar: () => new Calendar({ zone: 'Europe/Berlin' }) }));
    const outer = new Container();
    outer.load(moduleOf({ calendar: () => inner.get(serviceId('calendar')) }));
    expect(outer.get(serviceId('calendar'))).to.equal(inner.get(serviceId('calendar')));
  });

  it('says which service is missing', () => {
    const container = new Container();
    container.load(moduleOf({ names: ({ mappingStore }) => new NameService(mappingStore) }));
    expect(() => container.get(serviceId('names'))).to.throw('tallybook.mappingStore');
  });

  it('uses what is bound in the place of one service', () => {
    const container = createContainer(loadConfig({ store: 'memory:', logLevel: 'silent' }, {}));
    const mapping = new MemoryMappingStore();
    container.rebind(serviceId('mappingStore')).toConstantValue(mapping);
    expect(container.get(serviceId('mappingStore'))).to.equal(mapping);
    expect(container.get(serviceId('snapshots'))).not.to.equal(container.get(serviceId('stores')).snapshots);
  });

  it('does not compile with a name that there is not, or a service of another type', () => {
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
