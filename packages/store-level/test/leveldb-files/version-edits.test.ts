import { expect } from 'chai';
import { encodeNumbers } from '../../src/leveldb-files/numbers.js';
import { readManifest } from '../../src/leveldb-files/version-edits.js';
import {
  came,
  comparator,
  compacted,
  lastSequence,
  log,
  manifest,
  nextFile,
  previousLog,
  went,
} from '../fixtures/leveldb/leveldb-manifest.js';

describe('readManifest', () => {
  it('gives the files after all edits', () => {
    const bytes = manifest(
      [comparator, log(1), nextFile, lastSequence],
      [compacted, came(5, 1_000), came(6, 2_000), previousLog(4), log(7)],
      [went(5), came(8, 3_000), previousLog(3), lastSequence, nextFile, log(9)],
    );
    expect(readManifest(bytes)).to.deep.equal({
      tables: new Map([
        [6, 2_000],
        [8, 3_000],
      ]),
      firstLog: 9,
      previousLog: 3,
    });
  });

  it('has no other log if none is named', () => {
    expect(readManifest(manifest([log(3)]))).to.deep.equal({
      tables: new Map(),
      firstLog: 3,
      previousLog: 0,
    });
  });

  it('treats a torn end as an edit that did not take effect', () => {
    const bytes = manifest([log(3)], [came(5, 1_000)]);
    expect(readManifest(bytes.subarray(0, -1)).tables.size).to.equal(0);
  });

  const wrong: Readonly<Record<string, Buffer>> = {
    'names no log': manifest([comparator, came(5, 1_000)]),
    'has a field that LevelDB does not write': manifest([log(3)], [encodeNumbers(8)]),
    'ends within a field': manifest([log(3)], [encodeNumbers(7, 2)]),
    'is empty': Buffer.alloc(0),
  };
  for (const [what, bytes] of Object.entries(wrong)) {
    it(`refuses one that ${what}`, () => {
      expect(() => readManifest(bytes)).to.throw(Error);
    });
  }

  it('refuses one that is damaged before its last edit', () => {
    const bytes = manifest([log(3)], [came(5, 1_000)], [log(9)]);
    bytes.writeUInt8(0xff, 9 + 12);
    expect(() => readManifest(bytes)).to.throw(Error, 'its record at 9 is damaged');
  });
});
