import { expect } from 'chai';
import { GwiotDecoder } from '../../../src/serial/decoders/gwiot-decoder.js';
import { encodeGwiotFrame } from './gwiot-frame.js';
import { summarise } from '../../fixtures/summarise.js';

/** From the data sheet of the seller. */
const PRINTED = Buffer.from('020A022E00B6D7B5F203', 'hex');

describe('GwiotDecoder', () => {
  it('decodes the frame of the data sheet', () => {
    expect(new GwiotDecoder().push(PRINTED)).to.deep.equal([{ id: '2E00B6D7B5', isUid: false }]);
  });

  it('recognises the UID of a MIFARE tag by the type', () => {
    expect(new GwiotDecoder().push(encodeGwiotFrame(0x01, '6B3D12D6'))).to.deep.equal([
      { id: '6B3D12D6', isUid: true },
    ]);
  });

  it('decodes ids that contain bytes of the framing', () => {
    const decoder = new GwiotDecoder();
    for (const id of ['0202020303', '0303030302', '020A020A02', '030203020A']) {
      expect(summarise(decoder.push(encodeGwiotFrame(0x02, id)))).to.deep.equal([id]);
    }
  });

  it('decodes frames that come byte by byte', () => {
    const decoder = new GwiotDecoder();
    const decoded = [...PRINTED, ...PRINTED].flatMap((byte) => decoder.push(Uint8Array.of(byte)));
    expect(summarise(decoded)).to.deep.equal(['2E00B6D7B5', '2E00B6D7B5']);
  });

  it('refuses an id of only zeros', () => {
    expect(summarise(new GwiotDecoder().push(encodeGwiotFrame(0x02, '0000000000')))).to.deep.equal([
      'BLANK_TALLY_ID',
    ]);
  });

  it('reports other bytes once, when the next frame comes', () => {
    const wrongSum = Buffer.from('020A022E00B6D7B5F303', 'hex');
    const wrongEnd = Buffer.from('020A022E00B6D7B5F204', 'hex');
    const decoder = new GwiotDecoder();
    const [fault, ...rest] = decoder.push(Buffer.concat([wrongSum, wrongEnd, Buffer.from('noise'), PRINTED]));
    expect(fault).to.have.nested.property('fault.code', 'FRAME_INVALID');
    expect(fault).to.have.nested.property('fault.details.length', 25);
    expect(summarise(rest)).to.deep.equal(['2E00B6D7B5']);
  });

  it('reports a frame that was cut when the line is silent', () => {
    const decoder = new GwiotDecoder();
    expect(decoder.push(PRINTED.subarray(0, 6))).to.be.empty;
    expect(summarise(decoder.silence())).to.deep.equal(['FRAME_INVALID']);
    expect(decoder.silence()).to.be.empty;
    expect(summarise(decoder.push(PRINTED))).to.deep.equal(['2E00B6D7B5']);
  });

  it('finds a frame within the beginning of a longer one, when the line is silent', () => {
    for (const noise of ['020F', '020F02', '020F020F020E', '0208020902']) {
      const decoder = new GwiotDecoder();
      const decoded = [
        ...decoder.push(Buffer.concat([Buffer.from(noise, 'hex'), PRINTED])),
        ...decoder.silence(),
      ];
      expect(summarise(decoded)).to.deep.equal(['FRAME_INVALID', '2E00B6D7B5']);
      expect(decoded[0]).to.have.nested.property('fault.details.length', noise.length / 2);
    }
  });
});
