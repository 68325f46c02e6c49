import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { listen } from '../../packages/server/test/fixtures/http/listening.js';
import { claim } from '../fuzz/claim.js';
import { HEAP_OPTIONS } from '../fuzz/fuzzed-server.js';

/** Old generation of V8, and three halves of the young one, in MiB. */
const WHOLE_HEAP_MIB = 64 + 3 * 16;

describe('The server that is fuzzed', () => {
  it('has the same bound of its heap on every Node', () => {
    const program = 'console.log(require("node:v8").getHeapStatistics().heap_size_limit)';
    const limit = execFileSync(process.execPath, [...HEAP_OPTIONS, '-e', program], { encoding: 'utf8' });
    expect(Number(limit) / 1_048_576).to.be.at.most(WHOLE_HEAP_MIB);
  });

  it('is claimed although hostile attempts to sign in slow down this address', async () => {
    const paths: string[] = [];
    await using server = await listen((request, response) => {
      paths.push(request.url ?? '');
      const isFirstSignIn = paths.filter((path) => path === '/api/session').length === 1;
      if (request.url === '/api/session' && isFirstSignIn)
        response.writeHead(429, { 'Retry-After': '0' }).end();
      else response.setHeader('Set-Cookie', 'session=s; Path=/').end(JSON.stringify({ token: 'tb_1' }));
    });
    expect(await claim(server)).to.equal('tb_1');
    expect(paths).to.deep.equal(['/api/users', '/api/session', '/api/session', '/api/tokens']);
  });
});
