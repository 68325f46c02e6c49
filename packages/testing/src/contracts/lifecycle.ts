import assert from 'node:assert/strict';
import { isTallybookError, type Lifecycle } from '@tallybook/domain';
import {
  casesOf,
  onSubject,
  runCases,
  type ContractCase,
  type ContractOptions,
  type MakeSubject,
  type TestRunner,
} from '../runner.js';

export interface LifecycleSubject<T extends Lifecycle> {
  /** The resource, not opened yet. */
  readonly resource: T;
  /** Releases everything, whatever state the resource is in. */
  readonly cleanup: () => Promise<void>;
}

export interface LifecycleContractOptions<T extends Lifecycle> extends ContractOptions<
  MakeSubject<LifecycleSubject<T>>
> {
  /** Every operation that needs the resource to be open, by name. */
  readonly operations?: Readonly<Record<string, (resource: T) => Promise<unknown>>>;
}

/** Checks the promises of {@link Lifecycle}. The contracts of the ports include it. */
export function lifecycleContract<T extends Lifecycle>(
  runner: TestRunner,
  options: LifecycleContractOptions<T>,
): void {
  runCases(runner, 'a Lifecycle', lifecycleCases<T>(options.operations ?? {}), options);
}

type Make<T extends Lifecycle> = LifecycleContractOptions<T>['make'];

function lifecycleCases<T extends Lifecycle>(
  operations: Readonly<Record<string, (resource: T) => Promise<unknown>>>,
): ContractCase<Make<T>>[] {
  const one = (title: string, body: (resource: T) => Promise<void>): ContractCase<Make<T>> =>
    onSubject(
      title,
      (make) => make(),
      ({ resource }) => body(resource),
    );
  const named = Object.entries(operations);

  return [
    ...casesOf(one, {
      'is closed when it is made': async (resource) => {
        assert.equal(resource.status, 'closed');
      },
      'is open after open and closed after close': async (resource) => {
        await resource.open();
        await closesFromOpen(resource);
      },
      'opens once when open is called again': async (resource) => {
        await resource.open();
        await resource.open();
        await closesFromOpen(resource);
      },
      'opens once when open is called twice at the same time': async (resource) => {
        await Promise.all([resource.open(), resource.open()]);
        await closesFromOpen(resource);
      },
      'closes when it was never opened, and when it is closed': async (resource) => {
        await resource.close();
        assert.equal(resource.status, 'closed');
        await resource.open();
        await resource.close();
        await resource.close();
        assert.equal(resource.status, 'closed');
      },
      'ends closed when close is called while it opens': async (resource) => {
        await Promise.all([resource.open(), resource.close()]);
        assert.equal(resource.status, 'closed');
      },
      'ends open when open is called while it closes': async (resource) => {
        await resource.open();
        await Promise.all([resource.close(), resource.open()]);
        assert.equal(resource.status, 'open');
      },
      'opens again after it was closed': async (resource) => {
        await resource.open();
        await resource.close();
        await resource.open();
        assert.equal(resource.status, 'open');
        for (const [, operation] of named) await operation(resource);
      },
      'closes when it is disposed of': async (resource) => {
        await resource.open();
        await resource[Symbol.asyncDispose]();
        assert.equal(resource.status, 'closed');
      },
    }),
    ...named.flatMap(([name, operation]) => [
      one(`rejects ${name} with NOT_OPEN before it was opened`, async (resource) => {
        await rejectsNotOpen(operation(resource), name);
      }),
      one(`rejects ${name} with NOT_OPEN after it was closed`, async (resource) => {
        await resource.open();
        await resource.close();
        await rejectsNotOpen(operation(resource), name);
      }),
      one(`lets ${name} finish when close is called meanwhile`, async (resource) => {
        await resource.open();
        let isDone = false;
        const running = operation(resource).then(() => (isDone = true));
        const closing = resource.close().then(() => {
          assert.ok(isDone, `close() did not wait for ${name}`);
        });
        await Promise.all([running, closing]);
      }),
    ]),
  ];
}

async function closesFromOpen(resource: Lifecycle): Promise<void> {
  assert.equal(resource.status, 'open');
  await resource.close();
  assert.equal(resource.status, 'closed');
}

async function rejectsNotOpen(running: Promise<unknown>, name: string): Promise<void> {
  await assert.rejects(
    running,
    (error) => isTallybookError(error, 'NOT_OPEN'),
    `${name} must reject with the code NOT_OPEN`,
  );
}
