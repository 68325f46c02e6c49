import { constants } from 'node:fs';
import { expect } from 'chai';
import { buildFinal, buildImage, type Cut } from '../cuts/crash-image.js';
import { readHistory, type History } from '../cuts/history.js';
import type { TraceRecord } from '../cuts/trace.js';
import type { Tree } from '../cuts/tree.js';
import { Random } from '../random.js';

const SEEDS = 300;

function record(kind: TraceRecord['kind'], fields: Partial<TraceRecord> = {}): TraceRecord {
  return { fd: -1, number: 0, path: '', to: '', data: Buffer.alloc(0), ...fields, kind };
}

const open = (fd: number, path: string, flags: number = constants.O_CREAT): TraceRecord =>
  record('open', { fd, path, number: flags });
const write = (fd: number, text: string, offset = 0): TraceRecord =>
  record('write', { fd, data: Buffer.from(text), number: offset });
const rename = (path: string, to: string): TraceRecord => record('rename', { path, to });
const unlink = (path: string): TraceRecord => record('unlink', { path });
const truncate = (fd: number, size: number): TraceRecord => record('truncate', { fd, number: size });
let syncs = 0;
function sync(fd: number): readonly TraceRecord[] {
  const number = ++syncs;
  return [record('sync-begin', { fd, number }), record('sync-end', { fd, number })];
}

/** All images of a cut at the end, by many seeds. */
function images(history: History, fileSystem: Cut['fileSystem'] = 'journal', at = history.length): Tree[] {
  return Array.from({ length: SEEDS }, (_, seed) =>
    buildImage(history, { at, fileSystem }, new Random(seed)),
  );
}

/** Different contents of a file over all images; `undefined` where it is missing. */
function contents(trees: readonly Tree[], path: string): Set<string | undefined> {
  return new Set(trees.map((tree) => tree.get(path)?.toString('latin1')));
}

describe('The image of a power cut', () => {
  const none: Tree = new Map();

  it('holds what was synced, in every one', () => {
    for (const fileSystem of ['journal', 'log'] as const) {
      const history = readHistory(none, [
        open(5, 'a'),
        write(5, 'first '),
        ...sync(5),
        write(5, 'second', 6),
      ]);
      const texts = [...contents(images(history, fileSystem), 'a')];
      for (const text of texts) expect(text).to.match(/^first /);
      expect(texts).to.include.members(['first ', 'first second']);
    }
  });

  it('holds the files of a folder under its new name', () => {
    const history = readHistory(none, [
      record('mkdir', { path: 'a.tmp' }),
      open(5, 'a.tmp/b'),
      write(5, 'text'),
      ...sync(5),
      rename('a.tmp', 'a'),
      open(6, ''),
      ...sync(6),
    ]);
    for (const tree of [...images(history), ...images(history, 'log'), buildFinal(history)])
      expect([...tree.keys()]).to.have.members(['a', 'a/b']);
  });

  it('promises nothing of a sync that had begun and not ended, nor of what was written while it ran', () => {
    const [begin, end] = sync(5) as [TraceRecord, TraceRecord];
    const history = readHistory(none, [open(5, 'a'), begin, write(5, 'late'), end, write(5, 'r', 4)]);
    expect(contents(images(history), 'a')).to.include('');
    expect(contents(images(history, 'journal', 3), 'a')).to.include(undefined);
  });

  it('holds sectors that were not synced or not, each by itself', () => {
    const sector = (letter: string): string => letter.repeat(512);
    const history = readHistory(none, [
      open(5, 'a'),
      write(5, '-'.repeat(1_024)),
      ...sync(5),
      write(5, sector('x') + sector('y')),
    ]);
    const torn = contents(images(history), 'a');
    for (const first of ['-', 'x']) {
      for (const second of ['-', 'y']) expect(torn).to.include(sector(first) + sector(second));
    }
    expect(torn).to.have.property('size', 4);
  });

  it('may have given a file its size but not its bytes, which then are zeros or noise', () => {
    const history = readHistory(none, [open(5, 'a'), write(5, 'long enough to tell')]);
    const all = contents(images(history), 'a');
    expect(all).to.include('\0'.repeat(19));
    expect(
      [...all].some((text) => text?.length === 19 && !text.includes('\0') && !text.startsWith('long')),
    ).to.equal(true);
  });

  it('keeps the order in which names were changed', () => {
    const history = readHistory(none, [open(5, 'a'), open(6, 'b'), rename('a', 'c'), unlink('b')]);
    const names = new Set(images(history).map((tree) => [...tree.keys()].sort().join()));
    expect([...names].sort()).to.deep.equal(['', 'a', 'a,b', 'b,c', 'c']);
  });

  it('holds earlier changes of names when any file was synced, on a file system with one journal', () => {
    const records = [open(5, 'old'), ...sync(5), rename('old', 'new'), open(6, 'other'), ...sync(6)];
    const history = readHistory(none, records);
    for (const tree of images(history, 'journal')) expect([...tree.keys()]).to.have.members(['new', 'other']);
    const names = new Set(images(history, 'log').map((tree) => [...tree.keys()].sort().join()));
    expect([...names].sort()).to.deep.equal(['new,other', 'old,other']);
  });

  it('holds every earlier change of names when the folder was synced', () => {
    const records = [open(5, 'old'), rename('old', 'new'), open(6, '', 0), ...sync(6)];
    for (const tree of images(readHistory(none, records), 'log'))
      expect([...tree.keys()]).to.deep.equal(['new']);
  });

  it('holds the folders of a file that was synced', () => {
    const records = [
      record('mkdir', { path: 'x' }),
      record('mkdir', { path: 'x/y' }),
      open(5, 'x/y/a'),
      ...sync(5),
    ];
    for (const tree of images(readHistory(none, records), 'log')) {
      expect([...tree.keys()]).to.have.members(['x', 'x/y', 'x/y/a']);
    }
  });

  it('holds a file as it was or cut short, and what was written after that only together with it', () => {
    const before: Tree = new Map([['a', Buffer.from('before')]]);
    const history = readHistory(before, [open(5, 'a', constants.O_TRUNC), write(5, 'new')]);
    const all = contents(images(history), 'a');
    expect(all).to.include.members(['before', '', 'new']);
    expect(all).not.to.include('newore');
  });

  it('holds a file that was made longer at either size, and what was written there with it or without it', () => {
    const before: Tree = new Map([['a', Buffer.from('a')]]);
    const history = readHistory(before, [open(5, 'a', 0), truncate(5, 4), write(5, 'b', 1)]);
    const all = contents(images(history), 'a');
    expect(all).to.include.members(['a', 'ab', 'ab\0\0', 'a\0\0\0']);
    for (const text of all) expect(text?.[0]).to.equal('a');
    const synced = readHistory(before, [open(5, 'a', 0), truncate(5, 4), write(5, 'b', 1), ...sync(5)]);
    expect([...contents(images(synced), 'a')]).to.deep.equal(['ab\0\0']);
  });

  it('may have noise where a file was longer and is written for the first time, and nowhere else', () => {
    const history = readHistory(none, [
      open(5, 'a'),
      truncate(5, 12),
      write(5, 'aaaa'),
      ...sync(5),
      write(5, 'bb', 4),
    ]);
    const all = [...contents(images(history), 'a')];
    for (const text of all) expect(text).to.match(/^aaaa..\0{6}$/s);
    expect(all).to.include.members(['aaaabb\0\0\0\0\0\0', 'aaaa\0\0\0\0\0\0\0\0']);
    expect(all).to.have.lengthOf.above(2);
  });

  it('may have noise where a file was cut, made longer and is written again', () => {
    const history = readHistory(none, [
      open(5, 'a'),
      write(5, 'aaaaaa'),
      ...sync(5),
      truncate(5, 2),
      truncate(5, 6),
      ...sync(5),
      write(5, 'bb', 4),
    ]);
    const all = [...contents(images(history), 'a')];
    for (const text of all) expect(text).to.match(/^aa\0\0..$/s);
    expect(all).to.have.lengthOf.above(2);
  });

  it('holds a file that grew and was then cut short at one of its lengths', () => {
    const before: Tree = new Map([['a', Buffer.from('a')]]);
    const history = readHistory(before, [
      open(5, 'a', 0),
      write(5, 'bcdef', 1),
      ...sync(5),
      truncate(5, 4),
      write(5, 'X', 4),
    ]);
    const all = contents(images(history), 'a');
    expect(all).to.include.members(['abcdef', 'abcd', 'abcdX', 'abcd\0']);
    for (const text of all) expect(text).to.match(/^abcd(?:ef|.?)$/s);
  });

  it('holds everything if everything reached the disk', () => {
    const before: Tree = new Map<string, Buffer | 'folder'>([
      ['folder', 'folder'],
      ['a', Buffer.from('a')],
    ]);
    const history = readHistory(before, [
      open(5, 'a', 0),
      write(5, 'bcdef', 1),
      truncate(5, 3),
      write(5, 'z', 5),
      record('close', { fd: 5 }),
      rename('a', 'folder/b'),
      record('mkdir', { path: 'gone' }),
      record('rmdir', { path: 'gone' }),
    ]);
    expect(buildFinal(history)).to.deep.equal(
      new Map<string, Buffer | 'folder'>([
        ['folder', 'folder'],
        ['folder/b', Buffer.from('abc\0\0z')],
      ]),
    );
  });

  it('is the same for the same seed', () => {
    const history = readHistory(none, [open(5, 'a'), write(5, 'text'), open(6, 'b'), write(6, 'more')]);
    expect(images(history)).to.deep.equal(images(history));
  });

  it('is refused for a trace that does not say what it tells of', () => {
    expect(() => readHistory(none, [write(5, 'text')])).to.throw('which it has not named before');
  });
});
