import { DeviceUrl } from '@tallybook/devices';
import { expect } from 'chai';
import { frameDecoders } from '../../src/index.js';
import { readProtocol } from '../../src/serial/serial-protocols.js';

describe('readProtocol', () => {
  const usual: Readonly<Record<string, { readonly baudRate: number; readonly confirm: number }>> = {
    rdm6300: { baudRate: 9_600, confirm: 2 },
    id12: { baudRate: 9_600, confirm: 1 },
    em18: { baudRate: 9_600, confirm: 2 },
    '7941d': { baudRate: 9_600, confirm: 1 },
    parallax: { baudRate: 2_400, confirm: 2 },
    pn532: { baudRate: 115_200, confirm: 1 },
    lines: { baudRate: 9_600, confirm: 1 },
  };
  for (const [protocol, { baudRate, confirm }] of Object.entries(usual)) {
    it(`assumes ${baudRate} baud and ${confirm} equal frames for ${protocol}`, () => {
      expect(readProtocol(new DeviceUrl(`serial:?protocol=${protocol}`))).to.include({ baudRate, confirm });
    });
  }

  it('uses rdm6300 by default', () => {
    expect(readProtocol(new DeviceUrl('serial:'))).to.include(usual['rdm6300']);
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

  it('has a decoder of each for lines that other code reads', () => {
    expect(Object.keys(frameDecoders)).to.deep.equal(Object.keys(usual));
  });
});
