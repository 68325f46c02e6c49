import { mkdir } from 'node:fs/promises';
import { expect } from 'chai';
import { rejectionOf } from '../../../domain/test/fixtures/throws.js';
import { findSocketPath } from '../../src/control/control-socket.js';
import { leaveOut } from '../fixtures/leave-out.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

describe('The path of the control socket', () => {
  const folder = temporaryFolder();
  /** A folder whose socket has a path of this many bytes. */
  const ofLength = (bytes: number): string => {
    const begin = folder.path('ä');
    return begin + 'x'.repeat(bytes - Buffer.byteLength(`${begin}/control.sock`));
  };
  const platform = Object.getOwnPropertyDescriptor(process, 'platform');
  const pretend = (value: NodeJS.Platform): void =>
    void Object.defineProperty(process, 'platform', { ...platform, value });
  afterEach(() => void Object.defineProperty(process, 'platform', platform ?? {}));

  it('is in the folder of the store up to 103 bytes, on every system', async () => {
    pretend('darwin');
    const socket = await findSocketPath(ofLength(103));
    expect(socket.path).to.equal(`${ofLength(103)}/control.sock`);
    await socket.release();
  });

  it('uses the open folder if it is longer, on Linux', async function () {
    leaveOut(this, process.platform === 'linux' ? undefined : 'only Linux shows the open files of a process');
    await mkdir(ofLength(104));
    const socket = await findSocketPath(ofLength(104));
    expect(socket.path).to.match(/^\/proc\/self\/fd\/\d+\/control\.sock$/);
    await socket.release();
  });

  it('is refused if it is longer, on other systems', async () => {
    pretend('darwin');
    const path = `${ofLength(104)}/control.sock`;
    const { message, details } = await rejectionOf('STORE_UNAVAILABLE', findSocketPath(ofLength(104)));
    expect(message).to.equal(`${path} is too long for the path of a socket: at most 103 bytes`);
    expect(details).to.deep.equal({ path });
  });
});
