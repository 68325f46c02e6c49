import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tieToThisProcess } from '../src/program.js';
import { ProgramFolder } from './program-folder.js';

describe('tieToThisProcess', () => {
  let folder: ProgramFolder;
  let setpriv: string;
  let alone: string;

  beforeEach(() => {
    folder = new ProgramFolder(true);
    setpriv = join(folder.path, 'setpriv');
    alone = join(folder.path, 'alone');
    folder.add('alone', 'exit 0');
  });

  afterEach(() => folder.dispose());

  /** Adds a `setpriv` that records its arguments and then runs a script. */
  function addSetpriv(script: string): void {
    folder.add('setpriv', `echo "$*" >> ${folder.path}/asked; ${script}`);
  }

  /** Its arguments, call by call. */
  function asked(): readonly string[] {
    const file = join(folder.path, 'asked');
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }

  it('has setpriv start a program by its path, with its arguments', () => {
    addSetpriv('exit 0');
    expect(tieToThisProcess({ file: 'alone', args: ['a', 'b c'] })).to.deep.equal({
      file: setpriv,
      args: ['--pdeathsig', 'KILL', alone, 'a', 'b c'],
    });
  });

  it('asks setpriv once whether it can kill a program with its parent', () => {
    addSetpriv('exit 0');
    for (let times = 0; times < 3; times++) {
      expect(tieToThisProcess({ file: 'alone', args: [] }).file).to.equal(setpriv);
    }
    expect(asked()).to.deep.equal([`--pdeathsig KILL ${setpriv} --version`]);
  });

  it('does not change a command if setpriv cannot do that, and asks only once', () => {
    addSetpriv('exit 1');
    const command = { file: 'alone', args: ['a'] };
    for (let times = 0; times < 3; times++) expect(tieToThisProcess(command)).to.equal(command);
    expect(asked()).to.have.lengthOf(1);
  });

  it('asks again if setpriv was killed before its answer', () => {
    addSetpriv(`[ -e ${folder.path}/killed ] || { : > ${folder.path}/killed; kill -KILL $$; }`);
    const command = { file: 'alone', args: [] };
    expect(tieToThisProcess(command)).to.equal(command);
    expect(tieToThisProcess(command).file).to.equal(setpriv);
    expect(asked()).to.have.lengthOf(2);
  });

  it('does not change a command if there is no setpriv', () => {
    const command = { file: 'alone', args: [] };
    expect(tieToThisProcess(command)).to.equal(command);
  });

  it('does not change a command if no folder is searched', () => {
    addSetpriv('exit 0');
    const path = process.env['PATH'];
    delete process.env['PATH'];
    try {
      const command = { file: alone, args: [] };
      expect(tieToThisProcess(command)).to.equal(command);
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('does not change a command without a program: it is missing, a folder, or a file that may not be run', () => {
    addSetpriv('exit 0');
    mkdirSync(join(folder.path, 'folder'));
    folder.add('text', '');
    chmodSync(join(folder.path, 'text'), 0o644);
    for (const file of ['none', 'folder', 'text']) {
      const command = { file, args: [] };
      expect(tieToThisProcess(command)).to.equal(command);
    }
    expect(asked()).to.deep.equal([]);
  });

  it('searches only for names, as a shell does: a path is the program itself', () => {
    addSetpriv('exit 0');
    expect(tieToThisProcess({ file: alone, args: [] }).args.at(-1)).to.equal(alone);
    mkdirSync(join(folder.path, 'inner'));
    folder.add('inner/alone', 'exit 0');
    const command = { file: 'inner/alone', args: [] };
    expect(tieToThisProcess(command)).to.equal(command);
  });

  it('uses the first folder that has the program', () => {
    addSetpriv('exit 0');
    const outer = folder;
    const inner = new ProgramFolder();
    try {
      inner.add('alone', 'exit 0');
      expect(tieToThisProcess({ file: 'alone', args: [] }).args.at(-1)).to.equal(join(inner.path, 'alone'));
    } finally {
      inner.dispose();
    }
    expect(process.env['PATH']).to.equal(outer.path);
  });
});
