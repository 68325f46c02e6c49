import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { listPcscReaders } from '../../src/index.js';
import { pcscError, ScriptedPcsc, ScriptedReader } from './scripted-pcsc.js';

describe('listPcscReaders', () => {
  it('lists the readers, and releases pcscd', async () => {
    const pcsc = new ScriptedPcsc([new ScriptedReader('ACR122U 00 00'), new ScriptedReader('SCM 01 00')]);
    expect(await listPcscReaders(pcsc.load)).to.deep.equal(['ACR122U 00 00', 'SCM 01 00']);
    expect(pcsc.clients).to.have.length(1);
  });

  it('gives an empty list without readers', async () => {
    expect(await listPcscReaders(new ScriptedPcsc([]).load)).to.deep.equal([]);
  });

  it('rejects with advice when pcscd does not run', async () => {
    const { load } = new ScriptedPcsc(pcscError('NoService'));
    const { message } = await rejectionOf('READER_DISCONNECTED', listPcscReaders(load));
    expect(message).to.contain('systemctl enable --now pcscd.socket');
  });

  it('rejects with advice when pcscd ends meanwhile', async () => {
    const pcsc = new ScriptedPcsc([]);
    const listed = rejectionOf('READER_DISCONNECTED', listPcscReaders(pcsc.load));
    while (pcsc.clients.length === 0) await Promise.resolve();
    pcsc.clients[0]?.emit('error', pcscError('ServiceStopped'));
    expect((await listed).message).to.contain('pcscd does not run');
  });
});
