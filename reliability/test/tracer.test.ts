import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { buildFinal } from '../cuts/crash-image.js';
import { readHistory } from '../cuts/history.js';
import { readTrace, type TraceRecord } from '../cuts/trace.js';
import { Tracer } from '../cuts/tracer.js';
import { readTree, type Tree } from '../cuts/tree.js';

/** Changes files in every way that Node has. */
const EVERY_WAY = `
  const fs = require('node:fs');
  fs.mkdirSync(root + '/a/b', { recursive: true });
  fs.writeFileSync(root + '/a/x', 'hello', { flush: true });
  fs.appendFileSync(root + '/a/x', ' world');
  const fd = fs.openSync(root + '/a/b/y', 'w+');
  fs.writeSync(fd, 'abcdef');
  fs.writeSync(fd, 'XY', 1);
  fs.writevSync(fd, [Buffer.from('one'), Buffer.from('two')]);
  fs.writevSync(fd, [Buffer.from('12'), Buffer.from('34')], 20);
  fs.ftruncateSync(fd, 22);
  fs.fdatasyncSync(fd);
  fs.closeSync(fd);
  fs.truncateSync(root + '/a/x', 7);
  fs.writeSync(3, 'a mark');
  fs.renameSync(root + '/a/x', root + '/z');
  fs.writeFileSync(root + '/gone', 'gone');
  fs.rmSync(root + '/gone');
  fs.mkdirSync(root + '/empty');
  fs.rmdirSync(root + '/empty');
`;

/** Writes so much that LevelDB switches its log, makes tables, and compacts them. */
const LEVELDB = `
  const { Level } = require('level');
  (async () => {
    const level = new Level(root + '/store', { writeBufferSize: 16384 });
    for (let n = 0; n < 2000; n++) await level.put('key ' + (n % 700), 'x'.repeat(100) + n, { sync: n % 50 === 0 });
    await level.compactRange('', '~');
    await level.close();
  })();
`;

/** Closes files, and has others and sockets get their numbers. */
const NUMBERS_AGAIN = `
  const fs = require('node:fs');
  const net = require('node:net');
  const fds = Array.from({ length: 8 }, (_, n) => fs.openSync(root + '/' + n, 'w'));
  for (const fd of fds) fs.closeSync(fd);
  const outside = fs.openSync(root + '.outside', 'w');
  fs.writeSync(outside, 'unseen');
  const server = net.createServer((socket) => socket.end('unseen')).listen(0, '127.0.0.1', () => {
    net.connect(server.address().port, '127.0.0.1').resume().on('close', () => server.close());
  });
`;

describe('The trace of a process', () => {
  let folder = '';
  let tracer: Tracer | undefined;

  before(async function () {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tallybook-tracer-')));
    tracer = Tracer.compile(folder);
    if (tracer === undefined) this.skip('there is no C compiler, cc');
  });
  after(() => rm(folder, { recursive: true }));

  /** Runs a program with `root`, a new folder, under the tracer. */
  async function trace(
    name: string,
    program: string,
  ): Promise<{ records: readonly TraceRecord[]; tree: Tree; status: number | null; stderr: string }> {
    const root = join(folder, name);
    const file = join(folder, `${name}.trace`);
    await mkdir(root);
    const { status, stderr } = spawnSync(
      process.execPath,
      ['-e', `const root = ${JSON.stringify(root)};${program}`],
      {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        env: { ...process.env, NODE_V8_COVERAGE: '', NODE_OPTIONS: '', ...tracer?.env(root, file) },
        stdio: ['ignore', 'ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
      },
    );
    return { records: readTrace(await readFile(file), root), tree: await readTree(root), status, stderr };
  }

  for (const [name, program] of Object.entries({ 'every way of Node': EVERY_WAY, LevelDB: LEVELDB })) {
    it(`tells the whole folder: ${name}`, async () => {
      const { records, tree, status, stderr } = await trace(name, program);
      expect(stderr).to.equal('');
      expect(status).to.equal(0);
      expect(buildFinal(readHistory(new Map(), records))).to.deep.equal(tree);
      expect(tree.size).to.be.at.least(4);
    });
  }

  it('has marks in their place, and syncs with begin and end', async () => {
    const { records } = await trace('order', EVERY_WAY);
    const kinds = records.map(({ kind }) => kind);
    expect(records.find(({ kind }) => kind === 'mark')?.data.toString()).to.equal('a mark');
    expect(kinds.indexOf('mark')).to.be.below(kinds.indexOf('rename'));
    expect(kinds.filter((kind) => kind.startsWith('sync'))).to.deep.equal([
      'sync-begin',
      'sync-end',
      'sync-begin',
      'sync-end',
    ]);
  });

  it('leaves out what goes to other files, and to sockets, with the numbers of files that were closed', async () => {
    const { records, status } = await trace('numbers', NUMBERS_AGAIN);
    expect(status).to.equal(0);
    expect(records.map(({ kind }) => kind))
      .to.include('open')
      .and.not.to.include('write');
  });

  it('leaves out a last record that is incomplete', async () => {
    const { records } = await trace('cut', EVERY_WAY);
    const root = join(folder, 'cut');
    const bytes = await readFile(join(folder, 'cut.trace'));
    expect(readTrace(bytes.subarray(0, -1), root)).to.have.length(records.length - 1);
    expect(() => readTrace(Buffer.alloc(24), root)).to.throw('no record at byte 0');
  });

  for (const [what, program] of Object.entries({
    'a second name': `require('node:fs').writeFileSync(root + '/a', ''); require('node:fs').linkSync(root + '/a', root + '/b')`,
    'a link': `require('node:fs').symlinkSync('a', root + '/b')`,
    'a file that syncs by itself': `require('node:fs').openSync(root + '/a', 'as')`,
    'a file that is moved in': `require('node:fs').writeFileSync(root + '.new', ''); require('node:fs').renameSync(root + '.new', root + '/a')`,
  })) {
    it(`does not exist of what it could not tell: ${what}`, async () => {
      const { status, stderr } = await trace(what, program);
      expect(status).to.equal(70);
      expect(stderr).to.include('cannot be traced');
    });
  }
});
