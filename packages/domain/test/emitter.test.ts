import { Emitter, type Subscription } from '@tallybook/domain';
import { expect } from 'chai';
import { unhandledRejectionsOf } from './fixtures/unhandled-rejections.js';

describe('Emitter', () => {
  it('hands each value to every subscriber, at once and in the order of subscription', () => {
    const emitter = new Emitter<number>();
    const seen: string[] = [];
    emitter.subscribe((value) => seen.push(`a${value}`));
    emitter.subscribe((value) => seen.push(`b${value}`));
    emitter.emit(1);
    emitter.emit(2);
    expect(seen).to.deep.equal(['a1', 'b1', 'a2', 'b2']);
  });

  it('hands nothing to a subscriber that has unsubscribed, once or twice', () => {
    const emitter = new Emitter<number>();
    const seen: number[] = [];
    const subscription = emitter.subscribe((value) => seen.push(value));
    emitter.emit(1);
    subscription.unsubscribe();
    subscription.unsubscribe();
    emitter.emit(2);
    expect(seen).to.deep.equal([1]);
  });

  it('treats a function that subscribes twice as two subscribers', () => {
    const emitter = new Emitter<number>();
    const seen: number[] = [];
    const next = (value: number): void => void seen.push(value);
    const first = emitter.subscribe(next);
    emitter.subscribe(next);
    emitter.emit(1);
    first.unsubscribe();
    emitter.emit(2);
    expect(seen).to.deep.equal([1, 1, 2]);
  });

  it('does not hand a value to a subscriber that unsubscribes while it is handed out', () => {
    const emitter = new Emitter<number>();
    const seen: string[] = [];
    const subscriptions: Subscription[] = [];
    emitter.subscribe(() => subscriptions[1]?.unsubscribe());
    subscriptions.push(
      emitter.subscribe(() => seen.push('first')),
      emitter.subscribe(() => seen.push('second')),
    );
    emitter.emit(1);
    expect(seen).to.deep.equal(['first']);
  });

  it('hands the next value first to a subscriber that subscribes while a value is handed out', () => {
    const emitter = new Emitter<number>();
    const seen: number[] = [];
    let subscription = emitter.subscribe(again);
    function again(value: number): void {
      seen.push(value);
      subscription.unsubscribe();
      subscription = emitter.subscribe(again);
    }
    emitter.emit(1);
    emitter.emit(2);
    expect(seen).to.deep.equal([1, 2]);
  });

  it('hands a value to the others when a subscriber throws; the error becomes an unhandled rejection', async () => {
    const emitter = new Emitter<number>();
    const seen: number[] = [];
    const mistake = new Error('a mistake in the program');
    emitter.subscribe(() => {
      throw mistake;
    });
    emitter.subscribe((value) => seen.push(value));
    const reasons = await unhandledRejectionsOf(() => {
      emitter.emit(1);
      expect(seen).to.deep.equal([1]);
      emitter.emit(2);
    });
    expect(seen).to.deep.equal([1, 2]);
    expect(reasons).to.deep.equal([mistake, mistake]);
  });
});
