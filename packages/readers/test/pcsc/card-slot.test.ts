import { isTallybookError } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { PcscIdSource } from '../../src/index.js';
import { loadPcsc } from '../../src/pcsc/pcsc-client.js';
import { RunningClock } from '../fixtures/running-clock.js';
import { pcscError, ScriptedPcsc, ScriptedReader, STATES } from './scripted-pcsc.js';
import { idsOf, problemsOf } from '../fixtures/recorded-source.js';

const { EMPTY, IN_USE, MUTE, PRESENT } = STATES;
/** The library that comes with pcscd. */
const LIBRARY = 'libpcsclite.so';
const ADA = '04A2B3C4D5E680';

/** Cases that the virtual reader cannot show. */
describe('PcscIdSource with scripted readers', () => {
  let reader: ScriptedReader;
  let source: PcscIdSource;
  let ids: Recorder<string>;
  let faults: Recorder<unknown>;
  let connections: Recorder<string>;

  async function open(pcsc: ScriptedPcsc): Promise<void> {
    source = new PcscIdSource({ load: pcsc.load, retryDelayMs: () => 1 }, new RunningClock());
    ids = idsOf(source);
    faults = problemsOf(source);
    connections = new Recorder(source.connections);
    await source.open();
  }

  beforeEach(() => {
    reader = new ScriptedReader('ACS ACR122U PICC 00 00');
  });

  afterEach(() => source.close());

  it('ignores other changes while a card lies there', async () => {
    await open(new ScriptedPcsc([reader]));
    reader.script.push(`${ADA}9000`);
    reader.change(PRESENT);
    await ids.count(1);
    reader.change(PRESENT | IN_USE, false);
    reader.change(PRESENT, false);
    reader.change(EMPTY);
    reader.script.push('010203049000');
    reader.change(PRESENT);
    expect(await ids.count(2)).to.deep.equal([ADA, '01020304']);
    expect(faults.values).to.be.empty;
  });

  it('reads a card that replaced another between two checks', async () => {
    await open(new ScriptedPcsc([reader]));
    reader.script.push(`${ADA}9000`, '010203049000');
    reader.change(PRESENT);
    await ids.count(1);
    reader.change(PRESENT);
    expect(await ids.count(2)).to.deep.equal([ADA, '01020304']);
  });

  it('waits for a card that another program uses exclusively for a moment', async () => {
    await open(new ScriptedPcsc([reader]));
    reader.script.push(pcscError('SharingViolation'), pcscError('ResetCard'), `${ADA}9000`);
    reader.change(PRESENT);
    expect(await ids.count(1)).to.deep.equal([ADA]);
    expect(faults.values).to.be.empty;
  });

  it('reports once a card that another program keeps using exclusively', async () => {
    await open(new ScriptedPcsc([reader]));
    reader.script.push(...Array.from({ length: 9 }, () => pcscError('SharingViolation')));
    reader.change(PRESENT);
    expect(await faults.count(1)).to.deep.equal(['SharingViolation']);
    expect(reader.script).to.have.length(4);
  });

  it('reports a card that does not answer the reader, once', async () => {
    await open(new ScriptedPcsc([reader]));
    reader.change(PRESENT | MUTE);
    reader.change(PRESENT | MUTE | IN_USE, false);
    expect(faults.values).to.deep.equal(['no answer']);
  });

  it('reports a reader that is unplugged while there is another, and stays connected', async () => {
    const other = new ScriptedReader('ACS ACR1252 01 00');
    await open(new ScriptedPcsc([reader, other]));
    reader.emit('disconnect');
    expect(faults.values).to.deep.equal(['lost']);
    expect(source.connection).to.equal('connected');
    other.script.push(`${ADA}9000`);
    other.change(PRESENT);
    expect(await ids.count(1)).to.deep.equal([ADA]);
  });

  it('waits when the last reader is unplugged, and reads when there is one again', async () => {
    const pcsc = new ScriptedPcsc([reader], [new ScriptedReader('other')]);
    await open(pcsc);
    reader.emit('disconnect');
    await connections.find('waiting', (connection) => connection === 'waiting');
    await connections.find('connected', () => pcsc.clients.length === 2 && source.connection === 'connected');
    expect(faults.values).to.deep.equal(['lost']);
  });

  it('does not deliver a card that answers after its reader was unplugged', async () => {
    const pcsc = new ScriptedPcsc([reader], [new ScriptedReader('other')]);
    await open(pcsc);
    reader.script.push(`${ADA}9000`);
    reader.change(PRESENT);
    reader.emit('disconnect');
    await connections.find('waiting', (connection) => connection === 'waiting');
    await connections.find('connected', () => pcsc.clients.length === 2 && source.connection === 'connected');
    expect(ids.values).to.be.empty;
    expect(faults.values).to.deep.equal(['lost']);
  });

  it('does not report a card that fails after its reader was unplugged', async () => {
    const pcsc = new ScriptedPcsc([reader], [new ScriptedReader('other')]);
    await open(pcsc);
    reader.script.push(pcscError('ReaderUnavailable'));
    reader.change(PRESENT);
    reader.emit('disconnect');
    await connections.find('connected', () => pcsc.clients.length === 2 && source.connection === 'connected');
    expect(faults.values).to.deep.equal(['lost']);
  });

  it('reports none of the readers as lost when it is closed', async () => {
    await open(new ScriptedPcsc([reader, new ScriptedReader('other')]));
    await source.close();
    expect(faults.values).to.be.empty;
  });

  const failures = { CommError: 'no-service', SecurityViolation: 'no-service', InsufficientBuffer: 'other' };
  for (const [code, reason] of Object.entries(failures)) {
    it(`reports ${reason} when pcscd cannot be used any more because of ${code}`, async () => {
      const pcsc = new ScriptedPcsc([reader], [reader]);
      await open(pcsc);
      pcsc.clients[0]?.emit('error', pcscError(code));
      await connections.find(
        'connected',
        () => pcsc.clients.length === 2 && source.connection === 'connected',
      );
      expect(faults.values).to.deep.equal([reason]);
    });
  }

  it('reports why pcscd cannot be used', async () => {
    const errors = [
      pcscError('NoService'),
      pcscError('SecurityViolation'),
      new Error('odd'),
      [reader],
    ] as const;
    await open(new ScriptedPcsc(...errors));
    await connections.find('connected', (connection) => connection === 'connected');
    expect(faults.values).to.deep.equal(['no-service', 'permission', 'other']);
  });
});

describe('loadPcsc', () => {
  it('gives the package', async function () {
    const packageOrError = await loadPcsc().catch((error: unknown) => error);
    const isLibraryMissing =
      isTallybookError(packageOrError) && String(packageOrError.cause).includes(LIBRARY);
    if (isLibraryMissing) this.skip(`${LIBRARY} is not installed`);
    expect(packageOrError).to.include.keys('Client', 'CardMode', 'CardDisposition', 'ReaderStatus');
  });

  it('gives advice when it cannot be loaded', async () => {
    const cause = new Error('libpcsclite.so.1: cannot open shared object file');
    const loading = loadPcsc(() => Promise.reject(cause));
    const error = await rejectionOf('INVALID_OPTION', loading);
    expect(error.cause).to.equal(cause);
    expect(error.message).to.contain('npm install pcsc-mini').and.contain('apt install pcscd');
  });
});
