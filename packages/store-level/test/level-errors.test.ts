import { expect } from 'chai';
import { TallybookError } from '@tallybook/domain';
import { toReadError, toWriteError } from '../src/level-errors.js';

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

describe('What the stores say of a failure', () => {
  it('names the store and what helps when a block is damaged', () => {
    const cause = failure('LEVEL_CORRUPTION', 'Corruption: block checksum mismatch');
    const error = toReadError('/s', cause);
    expect(error).to.include({ code: 'STORE_CORRUPT', cause });
    expect(error.message).to.equal(
      'the store /s is damaged: Corruption: block checksum mismatch; `tallybook repair` saves what can be saved',
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
  });

  for (const [reason, remedy] of [
    ['IO error: /s/000005.log: No space left on device', '; make room on its disk'],
    ['ENOSPC: no space left on device, write', '; make room on its disk'],
    ['IO error: /s/000005.log: Input/output error', '; look at its disk or card'],
  ] as const) {
    it(`says what helps when it cannot be written: ${reason}`, () => {
      const error = toWriteError('/s', failure('LEVEL_IO_ERROR', reason));
      expect(error).to.include({ code: 'STORE_WRITE_FAILED' });
      expect(error.message).to.equal(`the store /s could not be written: ${reason}${remedy}`);
    });
  }

  it('adds no advice to that of its own', () => {
    const own = new TallybookError(
      'STORE_UNAVAILABLE',
      '/s does not hold the store any more: is its disk mounted?',
    );
    expect(toWriteError('/s', own).message).to.match(/is its disk mounted\?$/);
  });
});
