import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempDirectory } from '../../store-level/test/fixtures/temp-directory.js';
import { readBootId } from '../src/boot-id.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ID = 'd68f2203-a67c-4b6e-8645-905122debf00';

describe('readBootId', () => {
  const folder = useTempDirectory();

  it('reads the id of the system', async () => {
    const file = join(folder.path, 'boot_id');
    await writeFile(file, `${ID}\n`);
    expect(readBootId(file)).to.equal(ID);
  });

  it('makes another id each time where the system has none', async () => {
    const texts = ['\n', `x${ID}`, `${ID}0`, ID.toUpperCase()];
    const odd = texts.map((_, index) => join(folder.path, `odd-${index}`));
    for (const [index, file] of odd.entries()) await writeFile(file, texts[index] ?? '');
    for (const file of [join(folder.path, 'missing'), folder.path, ...odd]) {
      const ids = [readBootId(file), readBootId(file)];
      for (const id of ids) expect(id).to.match(UUID);
      expect(new Set([...ids, ID]).size, file).to.equal(3);
    }
  });
});
