import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { readLines } from '../../src/backup/read-lines.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('readLines', () => {
  const folder = temporaryFolder();

  async function linesOf(content: string | Uint8Array): Promise<string[]> {
    const file = folder.path('lines');
    await writeFile(file, content);
    const lines: string[] = [];
    for await (const line of readLines(file)) lines.push(line);
    return lines;
  }

  it('gives the lines without their ends, LF or CR LF, the last one with or without', async () => {
    expect(await linesOf('a\nb\r\n\nc')).to.deep.equal(['a', 'b', '', 'c']);
    expect(await linesOf('a\n')).to.deep.equal(['a']);
    expect(await linesOf('a\rb\r\r\n')).to.deep.equal(['a\rb\r']);
    expect(await linesOf('')).to.deep.equal([]);
  });

  it('does not end a line at U+2028, which JSON does not escape', async () => {
    expect(await linesOf('a\u2028b\u2029c\u0085d\n')).to.deep.equal(['a\u2028b\u2029c\u0085d']);
  });

  it('joins characters across the pieces in which a file is read', async () => {
    const line = '李'.repeat(5_000);
    expect(await linesOf(`${line}\n`.repeat(30))).to.deep.equal(Array<string>(30).fill(line));
  });

  it('names the line that is not UTF-8', async () => {
    const text = Buffer.concat([Buffer.from('good\n'), Buffer.from([0xff, 0x0a])]);
    const { details } = await rejectionOf('INVALID_BACKUP', linesOf(text));
    expect(details['line']).to.equal(2);
  });

  it('names the line that is too long, before it has read all of it', async () => {
    const text = `good\n${'x'.repeat(5_000_000)}`;
    const { details } = await rejectionOf('INVALID_BACKUP', linesOf(text));
    expect(details['line']).to.equal(2);
  });
});
