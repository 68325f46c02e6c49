import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../../packages/server/test/fixtures/temporary-folder.js';
import { isWithin, judgeAdvisories, readLocked } from '../advisories.mjs';
import { read, root } from './fixtures/read-project.js';

/** What npm answered about lodash 4.17.20, shortened. */
const recorded = JSON.parse(read('tools/test/fixtures/advisories.json')) as object;
const INJECTION = 'GHSA-35jh-r3h4-6jhm';
const REGULAR = 'GHSA-29mw-wpgm-hmr9';
const today = '2026-11-29';

interface Exception {
  readonly id: string;
  readonly reason: string;
  readonly until: string;
}

describe('The check of advisories', () => {
  const judge = (version: string, ...exceptions: readonly Exception[]) =>
    judgeAdvisories({ locked: { lodash: [version] }, answer: recorded, exceptions, today }) as {
      readonly problems: readonly string[];
      readonly accepted: readonly string[];
    };
  const exception = (id: string, changed: Partial<Exception> = {}): Exception => ({
    ...{ id, reason: 'never called', until: '2026-12-31' },
    ...changed,
  });

  it('finds the packages of the lockfile', () => {
    const locked = readLocked(read('pnpm-lock.yaml')) as Readonly<Record<string, readonly string[]>>;
    expect(locked).to.have.property('koa').with.lengthOf(1);
    expect(locked['@types/node']?.length).to.be.greaterThan(1);
    const resolved = read('pnpm-lock.yaml').match(/^ {4}resolution: /gm)?.length;
    expect(Object.values(locked).flat()).to.have.lengthOf(resolved ?? 0);
  });

  it('reports each advisory of a locked version', () => {
    expect(judge('4.17.20').problems).to.deep.equal([
      `${INJECTION}, high: lodash 4.17.20: Command Injection in lodash`,
      `${REGULAR}, moderate: lodash 4.17.20: Regular Expression Denial of Service (ReDoS) in lodash`,
    ]);
    expect(judge('3.10.1').problems).to.have.lengthOf(1);
    expect(judge('4.17.21').problems).to.be.empty;
  });

  it('accepts an advisory with a reason until its day, and shows it', () => {
    const { problems, accepted } = judge(
      '4.17.20',
      exception(INJECTION),
      exception(REGULAR, { until: today }),
    );
    expect(problems).to.be.empty;
    expect(accepted[0]).to.match(/^GHSA-35jh.*\(accepted until 2026-12-31: never called\)$/);
    expect(accepted).to.have.lengthOf(2);
  });

  for (const [what, changed, problem] of [
    ['has expired', { until: '2026-11-28' }, 'has expired on 2026-11-28'],
    ['is longer than an update may take', { until: '2027-02-28' }, 'is longer than 90 days'],
    ['says no day', { until: 'soon' }, 'does not say until when'],
    ['has no reason', { reason: '' }, 'has no reason'],
  ] as const) {
    it(`fails at an exception that ${what}`, () => {
      const { problems } = judge('4.17.20', exception(INJECTION, changed), exception(REGULAR));
      expect(problems).to.deep.equal([`the exception of ${INJECTION} ${problem}`]);
    });
  }

  it('fails at an exception that nothing needs', () => {
    expect(judge('3.10.1', exception(INJECTION), exception(REGULAR)).problems).to.deep.equal([
      `the exception of ${REGULAR} is not needed any more`,
    ]);
  });

  it('understands the ranges of advisories, and takes all others for all versions', () => {
    for (const [version, range, expected] of [
      ['1.2.3', '<1.2.3', false],
      ['1.2.3', '<=1.2.3', true],
      ['1.2.3', '< 1.10.0', true],
      ['1.2.3', '>=1.0.0 <1.2.3 || =1.2.3', true],
      ['1.2.3', '>= 1.0.0, < 1.2.3', false],
      ['2.0.0', '>1.0.0', true],
      ['1.0.0', '>1.0.0', false],
      ['1.2.3', '1.2.3', true],
      ['1.2.4', '= 1.2.3', false],
      ['2.0.0-rc.2', '<2.0.0-rc.10', true],
      ['2.0.0-rc.2', '>=2.0.0', false],
      ['2.0.0', '<2.0.0-rc.10', false],
      ['2.0.0-rc', '<2.0.0-rc.1', true],
      ['2.0.0-1', '<2.0.0-rc', true],
      ['2.0.0-beta', '<2.0.0-rc', true],
      ['1.2.3', '*', true],
      ['1.2.3', '', true],
      ['1.2.3', '~1.9', true],
    ] as const) {
      expect(isWithin(version, range), `${version} in ${range}`).to.equal(expected);
    }
  });
});

describe('npm run check:advisories', () => {
  const folder = temporaryFolder();
  beforeEach(async () => {
    await mkdir(folder.path('packaging'));
    await writeFile(folder.path('packaging/advisories.json'), '[]');
    await writeFile(folder.path('pnpm-lock.yaml'), read('pnpm-lock.yaml'));
  });

  for (const [what, status, answer, code, output] of [
    ['succeeds when npm knows of none', 200, '{}', 0, /^\d+ packages: 0 problems, 0 accepted\n$/],
    [
      'fails when npm knows of one',
      200,
      '{"koa":[{"url":"https://a/GHSA-1","title":"T","severity":"low","vulnerable_versions":"*"}]}',
      1,
      /^GHSA-1, low: koa [\d.]+: T\n\d+ packages: 1 problems/,
    ],
    ['fails when npm has no answer', 503, '', 1, /^The advisories are not known: .* answers 503\n$/],
    ['fails when the answer is not JSON', 200, 'moved', 1, /^The advisories are not known: /],
  ] as const) {
    it(what, async () => {
      let asked = '';
      await using registry = createServer((request, response) => {
        request.setEncoding('utf8');
        request.on('data', (piece: string) => (asked += piece));
        request.on('end', () => response.writeHead(status).end(answer));
      });
      await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
      const { port } = registry.address() as AddressInfo;
      const result = await promisify(execFile)(
        process.execPath,
        [fileURLToPath(new URL('tools/check-advisories.mjs', root)), folder.path()],
        { env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, NODE_V8_COVERAGE: '' } },
      ).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        (error: unknown) => {
          const { code, stdout, stderr } = error as Record<'stdout' | 'stderr', string> & {
            readonly code: number;
          };
          return { code, text: stdout + stderr };
        },
      );
      expect(result.text).to.match(output);
      expect(result.code).to.equal(code);
      expect(JSON.parse(asked)).to.have.property('koa');
    });
  }
});
