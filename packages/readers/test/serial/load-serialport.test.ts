import { isTallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { loadSerialPort } from '../../src/serial/serial-id-source.js';

describe('loadSerialPort', () => {
  it('gives the class', async () => {
    expect(await loadSerialPort())
      .to.be.a('function')
      .with.property('name', 'SerialPort');
  });

  it('says what to install when it cannot be loaded', async () => {
    const cause = new Error('Cannot find package');
    const error: unknown = await loadSerialPort(() => Promise.reject(cause)).catch(
      (reason: unknown) => reason,
    );
    if (!isTallybookError(error, 'INVALID_OPTION'))
      throw new Error('not the expected error', { cause: error });
    expect(error.cause).to.equal(cause);
    expect(error.message).to.contain('npm install serialport');
  });
});
