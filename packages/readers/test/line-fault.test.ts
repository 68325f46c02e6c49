import { expect } from 'chai';
import { createOpenFault } from '../src/serial/line-fault.js';

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
      it(`takes "${message}" as ${reason}`, () => {
        const cause = new Error(message);
        const fault = createOpenFault('/dev/ttyUSB0', cause);
        expect(fault).to.include({ code: 'READER_DISCONNECTED', cause });
        expect(fault.details).to.deep.equal({ path: '/dev/ttyUSB0', reason });
      });
    }
  }

  it('names the path and the group that may use it', () => {
    const { message } = createOpenFault('/dev/ttyUSB0', new Error('Permission denied'));
    expect(message).to.contain('/dev/ttyUSB0').and.contain('dialout');
  });

  it('repeats what the system says when it knows no better', () => {
    const { message } = createOpenFault('/dev/ttyUSB0', 'Input/output error');
    expect(message).to.equal('/dev/ttyUSB0 cannot be opened: Input/output error');
  });
});
