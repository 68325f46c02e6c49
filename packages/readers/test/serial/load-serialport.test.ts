import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { loadSerialPort } from '../../src/serial/serial-id-source.js';

describe('loadSerialPort', () => {
  it('gives the class', async () => {
    expect(await loadSerialPort())
      .to.be.a('function')
      .with.property('name', 'SerialPort');
  });

  it('says what to install when it cannot be loaded', async () => {
    const cause = new Error('Cannot find package');
    const loading = loadSerialPort(() => Promise.reject(cause));
    const error = await rejectionOf('INVALID_OPTION', loading);
    expect(error.cause).to.equal(cause);
    expect(error.message).to.contain('npm install serialport');
  });
});
