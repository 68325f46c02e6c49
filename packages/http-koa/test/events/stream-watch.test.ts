import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Emitter } from '@tallybook/domain';
import { expect } from 'chai';
import { StreamWatch } from '../../src/access/admission.js';

/** Access changes that count their listeners. */
class Changes {
  readonly #emitter = new Emitter<undefined>();
  listeners = 0;
  readonly changes = {
    subscribe: (next: (value: undefined) => void) => {
      this.listeners++;
      const subscription = this.#emitter.subscribe(next);
      return {
        unsubscribe: () => {
          this.listeners--;
          subscription.unsubscribe();
        },
      };
    },
  };

  emit(): void {
    this.#emitter.emit(undefined);
  }
}

/** The part of a request that a watch uses. */
function request(): IncomingMessage & { destroyed: boolean } {
  return Object.assign(new EventEmitter(), { destroyed: false }) as unknown as IncomingMessage & {
    destroyed: boolean;
  };
}

describe('StreamWatch', () => {
  it('listens to changes of access as long as there is a stream, once for all of them', () => {
    const access = new Changes();
    const watch = new StreamWatch(access);
    expect(access.listeners).to.equal(0);
    const [one, two] = [request(), request()];
    for (const each of [one, two]) watch.watch(each, { unsubscribe: () => undefined }, () => true);
    expect(access.listeners).to.equal(1);
    one.emit('close');
    expect(access.listeners).to.equal(1);
    two.emit('close');
    expect(access.listeners).to.equal(0);
    watch.watch(request(), { unsubscribe: () => undefined }, () => true);
    expect(access.listeners).to.equal(1);
  });

  it('ends a stream without permission once, and stops listening after the last one', () => {
    const access = new Changes();
    const watch = new StreamWatch(access);
    const ended: string[] = [];
    let mayBothGoOn = true;
    watch.watch(request(), { unsubscribe: () => ended.push('one') }, () => mayBothGoOn);
    const two = request();
    let mayTwoGoOn = true;
    watch.watch(two, { unsubscribe: () => ended.push('two') }, () => mayTwoGoOn);
    access.emit();
    expect(ended).to.deep.equal([]);
    mayBothGoOn = false;
    access.emit();
    access.emit();
    expect(ended).to.deep.equal(['one']);
    expect(access.listeners).to.equal(1);
    mayTwoGoOn = false;
    access.emit();
    expect(ended).to.deep.equal(['one', 'two']);
    expect(access.listeners).to.equal(0);
  });

  it('ignores an ended request', () => {
    const access = new Changes();
    const gone = request();
    gone.destroyed = true;
    new StreamWatch(access).watch(gone, { unsubscribe: () => undefined }, () => true);
    expect(access.listeners).to.equal(0);
    expect(gone.listenerCount('close')).to.equal(0);
  });
});
