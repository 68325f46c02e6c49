import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import {
  NoHostError,
  wordsOf,
  isConflict,
  isLost,
  isServerFailure,
  toOpenError,
  toReadError,
  toWriteError,
} from '../../src/connection/postgres-errors.js';

/** An error like those of the server. */
const ofServer = (code: string, message = 'no', severity = 'ERROR'): Error =>
  Object.assign(new Error(message), { code, severity });
/** An error like those of a socket. */
const ofSocket = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });
const host = { host: 'db', port: 5_432 };

const DISK_FULL = '53100';
const DEADLOCK = '40P01';
const UNIQUE = '23505';
const SHUT_DOWN = '57P01';

describe('Errors of PostgreSQL', () => {
  it('are a lost connection if the server ends, or takes no writes any more', () => {
    for (const code of [
      '08000',
      '08P01',
      '57P01',
      '57P02',
      '57P03',
      '57P05',
      '25006',
      '25P03',
      '25P04',
      '40003',
    ])
      expect(isLost(ofServer(code)), code).to.equal(true);
    for (const code of ['57P00', '57P06', '25P02', '40001', '08', 'x08000', '080001'])
      expect(isLost(ofServer(code)), code).to.equal(false);
    for (const severity of ['FATAL', 'PANIC'])
      expect(isLost(ofServer(UNIQUE, 'no', severity)), severity).to.equal(true);
    for (const severity of ['NONFATAL', 'PANICS', 'ERROR'])
      expect(isLost(ofServer(UNIQUE, 'no', severity)), severity).to.equal(false);
  });

  it('are a lost connection if they are of the socket, of TLS or of the driver', () => {
    for (const code of [
      'ECONNREFUSED',
      'EPIPE',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'ERR_SSL_WRONG',
      'ERR_SOCKET_CLOSED',
    ])
      expect(isLost(ofSocket(code)), code).to.equal(true);
    for (const code of ['ERR_INVALID_ARG_TYPE', 'XECONN', 'ERR_X_TLS', '23505'])
      expect(isLost(ofSocket(code)), code).to.equal(false);
    expect(isLost(Object.assign(new Error('no'), { code: 7 }))).to.equal(false);
    for (const words of [
      'Connection error',
      'terminating connection due to',
      'timeout exceeded when trying to connect',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
      'Cannot use a pool after calling end on the pool',
      'the server does not accept writes: it is a standby',
    ])
      expect(isLost(new Error(words)), words).to.equal(true);
    expect(isLost(new Error('COMMIT was answered with ROLLBACK'))).to.equal(false);
    // The code of the server counts first.
    const cancelled = ofServer('57014', 'canceling statement due to statement timeout');
    expect(isLost(cancelled)).to.equal(false);
    expect(isLost('the connection was closed')).to.equal(false);
  });

  it('are no lost connection if they are mistakes, or ours', () => {
    const words = 'the connection was closed';
    for (const error of [new RangeError(words), new TypeError(words), new TallybookError('NOT_OPEN', words)])
      expect(isLost(error), error.name).to.equal(false);
  });

  it('are a conflict, or a failure of the whole server, by their code alone', () => {
    for (const code of ['40001', '40P01', '55P03']) expect(isConflict(ofServer(code)), code).to.equal(true);
    for (const code of ['40002', 'x40001', '400010'])
      expect(isConflict(ofServer(code)), code).to.equal(false);
    for (const code of ['53100', '58030', 'XX000', 'F0000', '57014'])
      expect(isServerFailure(ofServer(code)), code).to.equal(true);
    for (const code of ['23505', '05300']) expect(isServerFailure(ofServer(code)), code).to.equal(false);
    for (const judge of [isConflict, isServerFailure]) {
      expect(judge(Object.assign(new Error('no'), { code: '40001' }))).to.equal(false);
      expect(judge({ code: '53100', severity: 'ERROR' })).to.equal(false);
      expect(judge(undefined)).to.equal(false);
    }
  });

  it('are a lost connection of several hosts if one of them was lost', () => {
    const [lost, refused] = [ofSocket('ECONNREFUSED'), ofServer('28P01', 'wrong password')];
    const of = (...errors: Error[]): NoHostError => new NoHostError(errors.map((error) => ({ host, error })));
    expect(isLost(of(refused, lost))).to.equal(true);
    expect(isLost(of(refused, refused))).to.equal(false);
  });

  it('have the time of the next try', () => {
    for (const translate of [toReadError, toWriteError]) {
      for (const error of [ofServer(DISK_FULL), ofServer(DEADLOCK), ofServer(SHUT_DOWN), ofServer(UNIQUE)])
        expect(translate('db', error).details, String(error)).to.deep.equal({ retryAfterSeconds: 5 });
    }
  });

  it('are a lost connection if an engine of several nodes lost one between them', () => {
    for (const words of [
      'connection to the remote node postgres@10.0.0.2:5432 failed with the following error: timeout expired',
      'connection not open',
      'could not establish any connections to the node db2:5432',
      'server closed the connection unexpectedly',
    ])
      expect(isLost(ofServer('XX000', words)), words).to.equal(true);
    expect(isLost(ofServer('XX000', 'cache lookup failed for relation 7'))).to.equal(false);
    expect(isLost(ofServer(UNIQUE, 'connection not open'))).to.equal(false);
  });

  it('are a conflict if the lock of the site was forgotten, on a shard too', () => {
    const of = (code: string, details: object): Error => Object.assign(ofServer(code), details);
    for (const suffix of ['', '_102008']) {
      expect(isConflict(of('23502', { table: `site${suffix}`, column: 'revision' }))).to.equal(true);
      expect(isConflict(of('23505', { constraint: `change_pkey${suffix}` }))).to.equal(true);
    }
    expect(isConflict(of('23502', { table: 'name' }))).to.equal(false);
    // With the lock, no key is ever taken.
    expect(isConflict(of('23505', { constraint: 'name_pkey' }))).to.equal(true);
    expect(isConflict(of('23505', {}))).to.equal(false);
    expect(isConflict(of('23514', { table: 'site' }))).to.equal(false);
  });

  it('have the reason of a missing connection, the code and the constraint, and never data of a statement', () => {
    expect(toReadError('db', ofSocket('ECONNREFUSED'))).to.include({
      code: 'STORE_READ_FAILED',
      message: 'cannot read from db: connect ECONNREFUSED',
    });
    expect(toWriteError('db', ofServer(UNIQUE, 'Key (name)=(Ada) already exists'))).to.include({
      code: 'STORE_WRITE_FAILED',
      message: 'cannot write to db: SQLSTATE 23505',
    });
    expect(toOpenError('db', ofServer('28P01', 'wrong password'))).to.include({
      code: 'STORE_UNAVAILABLE',
      message: 'cannot open db: wrong password',
    });
    expect(toOpenError('db', new AggregateError([]))).to.include({
      code: 'STORE_UNAVAILABLE',
      message: 'cannot open db',
    });
  });

  it('are not changed if they have a code of ours', () => {
    const error = new TallybookError('STORE_CORRUPT', 'it is damaged');
    for (const translate of [toReadError, toWriteError, toOpenError])
      expect(translate('db', error)).to.equal(error);
  });

  it('name each reason once for a host with several addresses, whose error has no message', () => {
    const errors = [ofSocket('ECONNREFUSED'), ofSocket('ECONNREFUSED'), ofSocket('ENETUNREACH'), undefined];
    expect(wordsOf(new AggregateError(errors))).to.equal('connect ECONNREFUSED, connect ENETUNREACH');
    expect(wordsOf(new AggregateError(errors, 'all of them'))).to.equal('all of them');
  });
});
