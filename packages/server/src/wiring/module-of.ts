import { ContainerModule, type Container, type ResolutionContext, type ServiceIdentifier } from 'inversify';
import { serviceId, type Services } from './services.js';

type ServiceName = keyof Services;

/** Recipes of services: each makes a service from the services that it reads. */
export type Recipes = {
  readonly [Name in ServiceName]?: (services: Services) => Services[Name];
};

/** Services that need not be bound. A recipe that reads an unbound one gets `undefined`. */
const optionalServices: ReadonlySet<ServiceName> = new Set(['indicator', 'identityProvider']);

/** Names of the services that a container is making now, the outermost first. */
const BEING_MADE: ServiceIdentifier<ServiceName[]> = Symbol.for('tallybook.being-made');

/** Names of the services that a container has made. */
const MADE: ServiceIdentifier<Set<ServiceName>> = Symbol.for('tallybook.made');

/**
 * Makes a module of the container from an object of recipes.
 *
 * A service is made when it is first read, and only once. If it was rebound before, the new binding is used. A circle
 * of services is an error that names all of them.
 */
export function moduleOf(recipes: Recipes): ContainerModule {
  return new ContainerModule(({ bind, isBound }) => {
    if (!isBound(BEING_MADE)) bind(BEING_MADE).toConstantValue([]);
    if (!isBound(MADE)) bind(MADE).toConstantValue(new Set());
    for (const name of Object.keys(recipes) as ServiceName[]) {
      bind<unknown>(serviceId(name))
        .toDynamicValue((context) => make(name, recipes[name], context))
        .inSingletonScope();
    }
  });
}

function make(name: ServiceName, recipe: Recipes[ServiceName], context: ResolutionContext): unknown {
  const beingMade = context.get(BEING_MADE);
  if (beingMade.includes(name)) {
    const circle = [...beingMade.slice(beingMade.indexOf(name)), name];
    throw new Error(`services need each other in a circle: ${circle.join(' -> ')}`);
  }
  beingMade.push(name);
  try {
    const service = recipe?.(servicesOf(context));
    context.get(MADE).add(name);
    return service;
  } finally {
    beingMade.pop();
  }
}

/**
 * Makes a container that refuses to rebind a service which it has made: others use that one already.
 *
 * @throws {TypeError} By `rebind` then, with its name.
 */
export function refusingLateRebinds(container: Container): Container {
  const rebind = container.rebind.bind(container);
  return Object.assign(container, {
    rebind: <T>(id: ServiceIdentifier<T>) => {
      const made = container.get(MADE);
      const name = [...made].find((each) => serviceId(each) === id);
      if (name !== undefined)
        throw new TypeError(`${name} is in use already; rebind it before it is first used`);
      return rebind(id);
    },
  });
}

/** The services by name; each is resolved when it is read. */
function servicesOf(context: ResolutionContext): Services {
  return new Proxy({} as Services, {
    get: (_target, name: ServiceName) =>
      optionalServices.has(name)
        ? context.get(serviceId(name), { optional: true })
        : context.get(serviceId(name)),
  });
}
