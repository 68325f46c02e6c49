import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

describe('The reader of bodies', () => {
  it('is loaded with the first body, so that it does not slow down a start', () => {
    const fixture = fileURLToPath(new URL('../fixtures/first-body.ts', import.meta.url));
    const args = ['--import=tsx', '--conditions=@tallybook/source', fixture];
    const env = { ...process.env, NODE_V8_COVERAGE: '' };
    const said = execFileSync(process.execPath, args, { env, encoding: 'utf8' });
    expect(JSON.parse(said)).to.deep.equal([false, false, true]);
  });
});
