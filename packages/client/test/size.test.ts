import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect } from 'chai';

const MAX_BYTES = 5_000;

describe('the client in a page', () => {
  it(`is at most ${MAX_BYTES} bytes, compressed, for browsers of 2020, and needs nothing else`, async () => {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: `export { TallybookClient, TallybookClientError } from './src/index.ts'`,
        resolveDir: fileURLToPath(new URL('..', import.meta.url)),
      },
      bundle: true,
      format: 'esm',
      metafile: true,
      minify: true,
      platform: 'browser',
      target: 'es2020',
      write: false,
    });
    expect(
      Object.keys(metafile.inputs).filter((file) => !/^(?:packages\/client\/)?src\/|^<stdin>$/.test(file)),
    ).to.deep.equal([]);
    expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).to.be.at.most(MAX_BYTES);
  });
});
