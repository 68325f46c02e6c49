import { expect } from 'chai';
import { isLoopback } from '../../src/config/loopback.js';

describe('An address to listen on', () => {
  for (const host of ['127.0.0.1', '127.255.0.9', '::1', 'localhost', 'LocalHost']) {
    it(`is for this machine only if it is ${host}`, () => {
      expect(isLoopback(host)).to.equal(true);
    });
  }
  for (const host of [
    '0.0.0.0',
    '::',
    '192.0.2.7',
    '127.example.org',
    'localhost.example.org',
    '',
    '::ffff:127.0.0.1',
  ]) {
    it(`may be for others too if it is "${host}"`, () => {
      expect(isLoopback(host)).to.equal(false);
    });
  }
});
