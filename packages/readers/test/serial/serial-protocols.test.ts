import { DeviceUrl } from '@tallybook/devices';
import { expect } from 'chai';
import { readProtocol } from '../../src/serial/serial-protocols.js';

describe('readProtocol', () => {
  it('uses rdm6300 by default', () => {
    expect(readProtocol(new DeviceUrl('serial:'))).to.include({ baudRate: 9_600, confirm: 2 });
  });

  for (const protocol of ['rdm6300', 'id12', 'em18']) {
    it(`reads the parameter whether ${protocol} keeps the checksum`, () => {
      const url = new DeviceUrl(`serial:?protocol=${protocol}&checksum=keep`);
      const bytes = protocol === 'em18' ? '62E3086CED08' : '\x0262E3086CED08\x03';
      const decoder = readProtocol(url).createDecoder();
      decoder.silence?.();
      const [frame] = [...decoder.push(Buffer.from(bytes), 0), ...(decoder.silence?.() ?? [])];
      expect(frame).to.deep.equal({ id: '62E3086CED08' });
    });
  }
});
