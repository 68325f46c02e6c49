import { expect } from 'chai';
import { isPermanentFailure, TallybookError } from '@tallybook/domain';
import { damagedStore, toOpenError, toReadError, toWriteError } from '../../src/level/level-errors.js';

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const REPAIR =
  '; its disk or card is read-only or broken, and nothing is stored until somebody repairs or replaces it';

describe('The error of a failure in a store', () => {
  it('names the store and gives advice when a block is damaged', () => {
    const cause = failure('LEVEL_CORRUPTION', 'Corruption: block checksum mismatch');
    const error = toReadError('/s', cause);
    expect(error).to.include({ code: 'STORE_CORRUPT', cause });
    expect(error.message).to.equal(
      'the store /s is damaged: Corruption: block checksum mismatch; `tallybook repair --store level:/s` saves what can be saved',
    );
  });

  it('names the store once', () => {
    const inner = new TallybookError('STORE_CORRUPT', 'a row is damaged', { details: { key: '01' } });
    const named = toReadError('/s', inner);
    expect(named.details).to.deep.equal({ key: '01', path: '/s', reason: 'a row is damaged' });
    expect(toReadError('/s', named)).to.equal(named);
  });

  it('names the store when it cannot be read', () => {
    const error = toReadError('/s', failure('LEVEL_IO_ERROR', 'IO error: Input/output error'));
    expect(error.code).to.equal('STORE_READ_FAILED');
    expect(error.message).to.equal('the store /s could not be read: IO error: Input/output error');
    expect(error.details).to.deep.equal({ path: '/s' });
  });

  for (const [reason, remedy] of [
    ['IO error: /s/000005.log: No space left on device', '; free some space on its disk'],
    ['ENOSPC: no space left on device, write', '; free some space on its disk'],
    ['IO error: /s/000005.log: Too many open files', '; check its disk or card'],
    ['IO error: /s/000005.log: Input/output error', REPAIR],
    ['IO error: /s/000005.log: Read-only file system', REPAIR],
    ["EROFS: read-only file system, open '/s/space-probe'", REPAIR],
    ['EIO: i/o error, write', REPAIR],
    ["EACCES: permission denied, open '/s/space-probe'", REPAIR],
    ["ENODEV: no such device, open '/s/space-probe'", REPAIR],
  ] as const) {
    it(`gives advice when it cannot be written: ${reason}`, () => {
      const error = toWriteError('/s', failure('LEVEL_IO_ERROR', reason));
      expect(error).to.include({ code: 'STORE_WRITE_FAILED' });
      expect(error.message).to.equal(`the store /s could not be written: ${reason}${remedy}`);
      const isPermanent = remedy === REPAIR;
      expect(error.details).to.deep.equal({ path: '/s', ...(isPermanent && { isPermanent }) });
      expect(isPermanentFailure(error)).to.equal(isPermanent);
    });
  }

  it('adds no advice to an error that has its own', () => {
    const own = new TallybookError(
      'STORE_UNAVAILABLE',
      '/s does not hold the store any more: is its disk mounted?',
    );
    expect(toWriteError('/s', own).message).to.match(/is its disk mounted\?$/);
  });

  for (const [code, message, expected] of [
    ['LEVEL_LOCKED', 'IO error: lock /s/LOCK: already held by process', 'STORE_LOCKED'],
    ['LEVEL_CORRUPTION', 'Corruption: no meta-lognumber entry in descriptor', 'STORE_CORRUPT'],
    ['LEVEL_IO_ERROR', 'IO error: /s/000005.ldb: No such file or directory', 'STORE_CORRUPT'],
    ['LEVEL_IO_ERROR', 'IO error: /s/000005.ldb: Invalid argument', 'STORE_CORRUPT'],
    ['LEVEL_IO_ERROR', 'IO error: /s/LOCK: Read-only file system', 'STORE_UNAVAILABLE'],
    ['EACCES', 'EACCES: permission denied', 'STORE_UNAVAILABLE'],
  ] as const) {
    it(`has the code ${expected} when it cannot be opened, for the message: ${message}`, () => {
      const cause = failure(code, message);
      const wrapped = Object.assign(new Error('Database failed to open', { cause }), {
        code: 'LEVEL_DATABASE_NOT_OPEN',
      });
      for (const each of [cause, wrapped]) {
        const error = toOpenError('/s', each);
        expect(error).to.include({ code: expected, cause: each });
        expect(error.details).to.deep.equal({
          path: '/s',
          ...(expected === 'STORE_CORRUPT' ? { reason: message } : {}),
        });
        expect(error.message).to.include('/s');
        if (expected === 'STORE_UNAVAILABLE') expect(error.message).to.include(message);
      }
    });
  }

  for (const reason of [
    "EACCES: permission denied, scandir '/s'",
    "EPERM: operation not permitted, open '/s/x'",
    'IO error: /s/LOCK: Permission denied',
  ]) {
    it(`names the user who may open it when this user may not: ${reason}`, () => {
      expect(toOpenError('/s', new Error(reason)).message).to.equal(
        `the store /s cannot be opened: ${reason}; run it as the user that the service runs as (sudo -u USER), or give the folder to that user (chown -R)`,
      );
    });
  }

  it('is passed on if it names the store already', () => {
    const own = new TallybookError('STORE_LOCKED', 'it is open in this process already');
    expect(toOpenError('/s', own)).to.equal(own);
  });

  it('repeats the thrown value, also if it is no error', () => {
    for (const thrown of ['a text', undefined, null]) {
      expect(toOpenError('/s', thrown)).to.include({ code: 'STORE_UNAVAILABLE', cause: thrown });
      expect(toReadError('/s', thrown).message).to.include(String(thrown));
    }
    expect(toOpenError('/s', { code: 'LEVEL_CORRUPTION' })).to.include({ code: 'STORE_UNAVAILABLE' });
    expect(toReadError('/s', new Error('without a code'))).to.include({ code: 'STORE_READ_FAILED' });
  });

  it('has a cause only if there is one', () => {
    expect(damagedStore('/s', 'all rows are missing')).not.to.have.own.property('cause');
  });
});
