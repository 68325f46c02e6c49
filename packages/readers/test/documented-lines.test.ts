import { readFileSync } from 'node:fs';
import { DeviceUrl } from '@tallybook/devices';
import { expect } from 'chai';
import { createIdFormat } from '../src/index.js';
import { readProtocol } from '../src/serial/serial-protocols.js';

const guide = readFileSync(new URL('../../../docs/how-to/connect-a-reader.md', import.meta.url), 'utf8');
const [, line = '', url = ''] = /lines such as `(.*?)` *\| `(serial:.*?)`/.exec(guide) ?? [];
const ID = '044B1712';
const HEX = /[0-9A-F]/;

const decoder = readProtocol(new DeviceUrl(url.replace('PATH', '/dev/none'))).createDecoder();

/** Ids in the text between two silences. */
function idsIn(text: Buffer): string[] {
  const decoded = [...decoder.push(text, 0), ...(decoder.silence?.() ?? [])];
  return decoded.flatMap((frame) => {
    try {
      return 'text' in frame ? [createIdFormat().fromText(frame.text)] : [];
    } catch {
      return [];
    }
  });
}

describe('The line and the pattern in the guide', () => {
  const sound = Buffer.from(`${line}\r\n`);

  it('give the id', () => {
    expect(idsIn(sound)).to.deep.equal([ID]);
  });

  it('give no other id when one character is changed, unless a digit becomes another digit', () => {
    for (let at = 0; at < sound.length; at++) {
      const isDigit = at >= line.indexOf('0') && HEX.test(String.fromCharCode(sound.readUInt8(at)));
      for (let byte = 0; byte < 256; byte++) {
        if (isDigit && HEX.test(String.fromCharCode(byte))) continue;
        const damaged = Buffer.from(sound);
        damaged.writeUInt8(byte, at);
        for (const id of idsIn(damaged)) expect(id, `${byte} at ${at}`).to.equal(ID);
      }
    }
  });

  it('give no other id when a character is missing or doubled', () => {
    for (let at = 0; at < sound.length; at++) {
      for (const [until, from] of [
        [at, at + 1],
        [at + 1, at],
      ] as const) {
        const damaged = Buffer.concat([sound.subarray(0, until), sound.subarray(from)]);
        for (const id of idsIn(damaged)) expect(id, `at ${at}`).to.equal(ID);
      }
    }
  });
});
