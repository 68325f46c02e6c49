import { expect } from 'chai';
import { createOpenFault } from '../../src/serial/line-fault.js';

const findNobody = (): Promise<undefined> => Promise.resolve(undefined);

describe('createOpenFault', () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    missing: [
      'Error: No such file or directory, cannot open /dev/ttyUSB0',
      'Error: No such device or address, cannot open /dev/ttyUSB0',
      'Error: No such device, cannot open /dev/ttyUSB0',
    ],
    permission: ['Error: Permission denied, cannot open /dev/ttyUSB0'],
    busy: [
      'Error Resource temporarily unavailable Cannot lock port',
      'Error: Device or resource busy, cannot open /dev/ttyUSB0',
    ],
    'not-serial': ['Error: Inappropriate ioctl for device setting custom baud rate of 9600'],
    other: ['Error: Input/output error, cannot open /dev/ttyUSB0'],
  };
  for (const [reason, messages] of Object.entries(texts)) {
    for (const message of messages) {
      it(`classifies "${message}" as ${reason}`, async () => {
        const cause = new Error(message);
        const fault = await createOpenFault('/dev/ttyUSB0', cause, findNobody);
        expect(fault).to.include({ code: 'READER_DISCONNECTED', cause });
        expect(fault.details).to.deep.equal({ path: '/dev/ttyUSB0', reason });
      });
    }
  }

  it('names the path and the group that may use it', async () => {
    const { message } = await createOpenFault('/dev/ttyUSB0', new Error('Permission denied'), findNobody);
    expect(message).to.contain('/dev/ttyUSB0').and.contain('dialout');
  });

  it('repeats the message of the system if the cause is unknown', async () => {
    const { message } = await createOpenFault('/dev/ttyUSB0', 'Input/output error', findNobody);
    expect(message).to.equal('/dev/ttyUSB0 cannot be opened: Input/output error');
  });

  it('names the user of a busy line, and does not search for other reasons', async () => {
    const findSomebody = (path: string): Promise<string> => Promise.resolve(`agetty (7) on ${path}`);
    const messageOf = async (text: string): Promise<string> =>
      (await createOpenFault('/dev/ttyUSB0', new Error(text), findSomebody)).message;
    expect(await messageOf('Cannot lock port')).to.contain('agetty (7) on /dev/ttyUSB0');
    expect(await messageOf('Permission denied')).to.not.contain('agetty');
  });
});
