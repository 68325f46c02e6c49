import { TallybookError } from '@tallybook/domain';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { createIdFormat, ObservableIdSource } from '../src/index.js';
import { idsOf } from './fixtures/recorded-source.js';

/** A device that a test controls. */
class HandIdSource extends ObservableIdSource {
  protected override onOpen = (): Promise<void> => Promise.resolve();
  protected override onClose = (): Promise<void> => Promise.resolve();

  text(text: string): void {
    this.deliverText(text);
  }

  bytes(hex: string): void {
    this.deliverBytes(Buffer.from(hex, 'hex'));
  }

  uid(hex: string): void {
    this.deliverUid(Buffer.from(hex, 'hex'));
  }

  override setConnection(connection: 'connected' | 'waiting', isReported?: boolean): void {
    super.setConnection(connection, isReported);
  }

  override report(error: TallybookError): void {
    super.report(error);
  }
}

describe('ObservableIdSource', () => {
  let clock: ManualClock;
  let ids: Recorder<string>;
  let codes: Recorder<string>;

  async function opened(options = {}): Promise<HandIdSource> {
    clock = new ManualClock();
    const source = new HandIdSource('hand', clock, createIdFormat(options));
    ids = idsOf(source);
    codes = new Recorder({ subscribe: (next) => source.faults.subscribe(({ error }) => next(error.code)) });
    await source.open();
    return source;
  }

  it('delivers text, bytes and UIDs by the format', async () => {
    const source = await opened({ spelling: 'dec10' });
    source.text('0006547886');
    source.bytes('010063E9AE');
    source.uid('04A1B2C3D4E580');
    expect(ids.values).to.deep.equal(['0063E9AE', '0063E9AE', 'C3D4E580']);
    expect(codes.values).to.be.empty;
  });

  it('shows the input of the device before its conversion to an id, also if that fails', async () => {
    const source = await opened({ spelling: 'dec10' });
    source.text('0006547886');
    const raws = new Recorder(source.raws);
    source.text('Ada');
    source.bytes('010063e9ae');
    source.uid('04A1B2C3D4E580');
    expect(raws.values).to.deep.equal(['Ada', '010063E9AE', '04A1B2C3D4E580']);
    expect(ids.values).to.deep.equal(['0063E9AE', '0063E9AE', 'C3D4E580']);
  });

  it('reports text and bytes that are no id', async () => {
    const source = await opened();
    source.text('Ada');
    source.bytes('0102');
    source.bytes('FFFFFF');
    expect(ids.values).to.be.empty;
    expect(codes.values).to.deep.equal(['INVALID_TALLY_ID', 'INVALID_TALLY_ID', 'BLANK_TALLY_ID']);
  });

  it('reports a lost device once, unless the subclass has reported it', async () => {
    const source = await opened();
    source.setConnection('waiting');
    expect(codes.values).to.deep.equal([]);
    source.setConnection('connected');
    source.setConnection('waiting');
    source.setConnection('waiting');
    expect(codes.values).to.deep.equal(['READER_DISCONNECTED']);
    source.setConnection('connected');
    source.report(new TallybookError('READER_DISCONNECTED', 'the cable was pulled'));
    source.setConnection('waiting');
    expect(codes.values).to.have.length(2);
    source.setConnection('connected');
    source.setConnection('waiting', true);
    expect(codes.values).to.have.length(2);
    source.setConnection('connected');
    source.setConnection('waiting');
    expect(codes.values).to.have.length(3);
    source.setConnection('connected');
    await source.close();
    source.setConnection('waiting');
    expect(codes.values).to.have.length(3);
  });

  it('delivers random UIDs, and reports at most one an hour', async () => {
    const source = await opened();
    for (const uid of ['08A1B2C3', '08A1B2C4']) source.uid(uid);
    clock.advance(3_599_999);
    source.uid('08A1B2C5');
    expect(codes.values).to.deep.equal(['UNSTABLE_TALLY_ID']);
    clock.advance(1);
    source.uid('08A1B2C6');
    expect(codes.values).to.deep.equal(['UNSTABLE_TALLY_ID', 'UNSTABLE_TALLY_ID']);
    expect(ids.values).to.have.length(4);
  });

  it('treats other ids that begin with 08 as permanent', async () => {
    const source = await opened();
    source.uid('08A1B2C3D4E580');
    source.bytes('08A1B2C3');
    source.text('08A1B2C3');
    expect(codes.values).to.be.empty;
  });
});
