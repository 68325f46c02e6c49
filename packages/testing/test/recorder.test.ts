import { Emitter } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { failureOf } from './fixtures/failure-of.js';

describe('Recorder', () => {
  let emitter: Emitter<number>;

  beforeEach(() => {
    emitter = new Emitter();
  });

  it('keeps the values of the stream, in order', () => {
    const recorder = new Recorder(emitter);
    emitter.emit(2);
    emitter.emit(1);
    expect(recorder.values).to.deep.equal([2, 1]);
  });

  it('finds the first matching past value', async () => {
    const recorder = new Recorder(emitter);
    for (const value of [1, 20, 30]) emitter.emit(value);
    expect(await recorder.find('a large value', (value) => value > 10)).to.equal(20);
  });

  it('finds a future value', async () => {
    const recorder = new Recorder(emitter);
    const finding = Promise.all([
      recorder.find('a large value', (value) => value > 10),
      recorder.find('a small value', (value) => value < 10),
    ]);
    emitter.emit(20);
    emitter.emit(1);
    expect(await finding).to.deep.equal([20, 1]);
  });

  it('counts past and future values', async () => {
    const recorder = new Recorder(emitter);
    emitter.emit(1);
    const counting = recorder.count(2);
    emitter.emit(2);
    expect(await counting).to.deep.equal([1, 2]);
  });

  it('rejects after its time limit, with the condition and the values', async () => {
    const recorder = new Recorder(emitter, 1);
    expect(await failureOf(recorder.count(1))).to.have.property(
      'message',
      'waited 1 ms in vain for 1 values; got nothing',
    );
    emitter.emit(1);
    emitter.emit(2);
    expect(await failureOf(recorder.find('a large value', (value) => value > 10))).to.have.property(
      'message',
      'waited 1 ms in vain for a large value; got 1, 2',
    );
  });

  it('rejects also if a value cannot be written as JSON', async () => {
    const bigints = new Emitter<bigint>();
    const recorder = new Recorder(bigints, 1);
    bigints.emit(7n);
    expect(await failureOf(recorder.count(2)))
      .to.have.property('message')
      .that.includes('got 7');
  });

  it('keeps no more values after it is stopped', () => {
    const recorder = new Recorder(emitter);
    emitter.emit(1);
    recorder.stop();
    emitter.emit(2);
    expect(recorder.values).to.deep.equal([1]);
  });
});
