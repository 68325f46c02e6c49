import { isTallybookError, type TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { createGpioFault, createGpioLossFault, findGpioTool, type GpioTool } from '../src/index.js';
import { ProgramFolder } from './program-folder.js';

const CHIPS = `gpiochip0 [pinctrl-rp1] (54 lines)
gpiochip10 [gpio-brcmstb@107d508500] (32 lines)
gpiochip11 [a [b] (1 lines)] (15 lines)`;

describe('findGpioTool', () => {
  let programs: ProgramFolder;

  beforeEach(() => {
    programs = new ProgramFolder(true);
  });

  afterEach(() => {
    programs.dispose();
  });

  /** Installs a stand-in for libgpiod that answers like the real one. */
  function install(version: string, gpiodetect = 'exit 0'): void {
    for (const tool of ['gpiomon', 'gpioset']) {
      programs.add(tool, `[ "$*" = --version ] && echo "${tool} (libgpiod) v${version}"; echo Copyright`);
    }
    programs.add('gpiodetect', gpiodetect);
  }

  async function fails(chip: string): Promise<TallybookError> {
    const error: unknown = await findGpioTool('gpioset', chip, 'OUTPUT_FAILED').then(
      () => new Error('it was found'),
      (reason: unknown) => reason,
    );
    if (!isTallybookError(error)) throw error;
    return error;
  }

  const find = (chip: string): Promise<GpioTool> => findGpioTool('gpiomon', chip, 'READER_DISCONNECTED');

  const versions = { '1.6.3': 1, '1.5': 1, '2.0': 2, '2.2.1': 2, '10.1.0': 2 };
  for (const [version, expected] of Object.entries(versions)) {
    it(`calls libgpiod ${version} as version ${expected}`, async () => {
      install(version);
      expect(await find('/dev/gpiochip4')).to.deep.equal({ version: expected, chipPath: '/dev/gpiochip4' });
    });
  }

  it('finds a chip by its path, its name or its label', async () => {
    install('2.2.1', `cat <<'END'\n${CHIPS}\nEND`);
    programs.add('cat', 'while read -r line; do echo "$line"; done');
    const found = async (chip: string): Promise<string> => (await find(chip)).chipPath;
    expect(await found('/dev/some/link')).to.equal('/dev/some/link');
    expect(await found('gpiochip7')).to.equal('/dev/gpiochip7');
    expect(await found('gpiochip12')).to.equal('/dev/gpiochip12');
    expect(await found('pinctrl-rp1')).to.equal('/dev/gpiochip0');
    expect(await found('gpio-brcmstb@107d508500')).to.equal('/dev/gpiochip10');
    expect(await found('a [b] (1 lines)')).to.equal('/dev/gpiochip11');
  });

  it('reports a label that no chip has', async () => {
    install('1.6.3', "echo 'gpiochip0 [pinctrl-rp1] (54 lines)'");
    const fault = await fails('pinctrl-rp');
    expect(fault).to.have.property('code', 'OUTPUT_FAILED');
    expect(fault.details).to.deep.equal({ chip: 'pinctrl-rp', reason: 'missing' });
    expect(fault.message).to.contain('gpiodetect');
  });

  it('treats a text that only contains the name of a chip as a label', async () => {
    install('2.2.1');
    for (const label of ['my-gpiochip0', 'gpiochip0-exp', 'gpiochip']) {
      expect((await fails(label)).details).to.include({ reason: 'missing' });
    }
  });

  it('reports that it cannot search for a label', async () => {
    programs.add('gpioset', 'echo "gpioset (libgpiod) v1.6.3"');
    const fault = await fails('pinctrl-rp1');
    expect(fault).to.have.property('code', 'OUTPUT_FAILED');
    expect(fault.message).to.contain('gpiodetect ENOENT');
  });

  it('reports that it has no right to read the chips', async () => {
    install(
      '2.2.1',
      `echo "gpiodetect: unable to open chip '/dev/gpiochip0': Permission denied" >&2; exit 1`,
    );
    expect((await fails('pinctrl-rp1')).details).to.include({ reason: 'permission' });
  });

  it('says what to install if the tool is missing', async () => {
    const fault = await fails('/dev/gpiochip0');
    expect(fault).to.have.property('code', 'INVALID_OPTION');
    expect(fault.details).to.include({ reason: 'not-installed' });
    expect(fault.message).to.contain('gpioset').and.contain('apt install gpiod');
  });

  it('repeats the message of a tool that fails to print its version', async () => {
    programs.add('gpioset', 'echo "gpioset: not for this processor" >&2; exit 126');
    const fault = await fails('/dev/gpiochip0');
    expect(fault.details).to.include({ reason: 'other' });
    expect(fault.message).to.contain('not for this processor');
  });
});

describe('createGpioFault', () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    missing: [
      'gpiomon: error waiting for events: No such file or directory',
      'gpiomon: error waiting for events: Inappropriate ioctl for device',
      'gpiomon: error waiting for events: No such device',
      "gpiomon: cannot find GPIO chip character device 'gpiochip9'",
    ],
    permission: [
      'gpiomon: error waiting for events: Permission denied',
      "gpiomon: unable to open chip '/dev/gpiochip0': Permission denied",
    ],
    busy: [
      'gpiomon: error waiting for events: Device or resource busy',
      'gpiomon: unable to request lines on chip /dev/gpiochip0: Device or resource busy',
    ],
    line: [
      'gpiomon: error waiting for events: Invalid argument',
      "gpiomon: offset 99 is out of range on chip '/dev/gpiochip0'",
    ],
    // Error for a line without interrupts.
    other: ['gpiomon: error waiting for events: No such device or address', 'exit code 1'],
  };
  const advice: Readonly<Record<string, string>> = {
    missing: '"gpiodetect" lists all chips',
    permission: 'add the user to the group that owns it',
    busy: 'that another program uses ("gpioinfo" shows which)',
    line: '"gpioinfo" lists its lines',
    other: 'cannot be used',
  };
  for (const [reason, messages] of Object.entries(texts)) {
    for (const text of messages) {
      it(`takes "${text}" as ${reason}`, () => {
        const fault = createGpioFault('READER_DISCONNECTED', 'gpiochip0', text);
        expect(fault).to.have.property('code', 'READER_DISCONNECTED');
        expect(fault.details).to.deep.equal({ chip: 'gpiochip0', reason });
        expect(fault.message).to.contain('gpiochip0').and.contain(advice[reason]);
        expect(fault.message.endsWith(`: ${text}`)).to.equal(reason === 'other');
      });
    }
  }
});

describe('createGpioLossFault', () => {
  it('is lost after every message of the tool, and repeats the message', () => {
    const fault = createGpioLossFault('OUTPUT_FAILED', 'gpiochip0', 'Device or resource busy');
    expect(fault.details).to.deep.equal({ chip: 'gpiochip0', reason: 'lost' });
    expect(fault.message).to.equal('the GPIO chip gpiochip0 was lost: Device or resource busy');
  });
});
