import { EventEmitter } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect } from 'chai';
import type { SerialPort } from 'serialport';
import { readPort } from '../../src/serial/port-bytes.js';

/** The used part of a port, on a file. `told` has the bytes that it delivers, and the reason of its end. */
function openOn(path: string): {
  readonly poller: EventEmitter;
  readonly port: SerialPort;
  readonly told: unknown[];
} {
  const told: unknown[] = [];
  const poller = new EventEmitter();
  const port = {
    isOpen: true,
    port: { fd: openSync(path, 'r'), poller },
    close: (_done: unknown, cause: Error) => told.push(cause.message),
  } as unknown as SerialPort;
  readPort(port, (bytes) => told.push(Buffer.from(bytes).toString()));
  return { poller, port, told };
}

describe('readPort', () => {
  it('closes a port at its end', () => {
    const { poller, port, told } = openOn('/dev/null');
    poller.emit('readable', null);
    expect(told).to.deep.equal(['the line has hung up']);
    closeSync((port.port as unknown as { readonly fd: number }).fd);
  });

  it('closes a port that cannot be read, with the reason', () => {
    const { poller, port, told } = openOn('/');
    poller.emit('readable', null);
    expect(told).to.deep.equal(['EISDIR: illegal operation on a directory, read']);
    closeSync((port.port as unknown as { readonly fd: number }).fd);
  });

  it('reads no more of a port that was closed', () => {
    const { poller, port, told } = openOn('/dev/null');
    closeSync((port.port as unknown as { readonly fd: number }).fd);
    (port as unknown as { isOpen: boolean }).isOpen = false;
    poller.emit('readable', new Error('Canceled'));
    expect(told).to.be.empty;
  });

  it('accepts pushed bytes if the system does not report readable data', () => {
    const told: string[] = [];
    const port = Object.assign(new EventEmitter(), { port: { isOpen: true } });
    readPort(port as unknown as SerialPort, (bytes) => told.push(Buffer.from(bytes).toString()));
    port.emit('data', Buffer.from('62E3'));
    expect(told).to.deep.equal(['62E3']);
  });
});
