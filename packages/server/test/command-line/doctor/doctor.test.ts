import { constants, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import { expect } from 'chai';
import { createReader, SerialIdSource } from '@tallybook/readers';
import { ManualClock } from '@tallybook/testing';
import {
  describeSurvey,
  DeviceSurvey,
  type DeviceSurveyOptions,
  type SurveyPart,
} from '../../../src/doctor/device-survey.js';
import { advise, DeviceRightsReader } from '../../../src/doctor/device-access.js';
import { readChipLabels } from '@tallybook/devices';
import { suggestReader } from '../../../src/command-line/doctor/suggest-reader.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const { username, gid } = userInfo();

describe('tallybook doctor', () => {
  const folder = temporaryFolder();

  /** Makes a file in the folder that replaces `/`. */
  async function touch(path: string, content = ''): Promise<void> {
    const file = folder.path(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { mode: 0o755 });
  }

  /** Makes a link as udev does. */
  async function link(path: string, target: string): Promise<void> {
    const file = folder.path(path);
    await mkdir(dirname(file), { recursive: true });
    await symlink(target, file);
  }

  async function survey(options: Partial<DeviceSurveyOptions> = {}): Promise<readonly SurveyPart[]> {
    const found = new DeviceSurvey({
      root: folder.path(),
      findHolder: () => Promise.resolve(undefined),
      readChipLabels: () => Promise.resolve(new Map()),
      listPcscReaders: () => Promise.resolve([]),
      programPath: folder.path('bin'),
      ...options,
    });
    return found.find();
  }

  const urlsOf = (part: SurveyPart | undefined): string[] => part?.devices.map(({ url }) => url) ?? [];

  describe('the survey', () => {
    it('finds nothing on an empty machine, and says what PC/SC readers need', async () => {
      const parts = await survey();
      expect(parts.map(({ title, devices }) => [title, devices])).to.deep.equal([
        ['Serial lines', []],
        ['GPIO chips', []],
        ['Keyboards, and readers that type', []],
        ['PC/SC readers', []],
      ]);
      expect(parts.flatMap(({ hints }) => hints)).to.deep.equal([
        'they need the service pcscd, which is not installed: sudo apt install pcscd',
      ]);
    });

    it('names each serial line once, by its most stable path', async () => {
      for (const name of ['ttyUSB0', 'ttyUSB1', 'ttyACM10', 'ttyACM9', 'ttyAMA0', 'ttyS0', 'tty1', 'ptmx']) {
        await touch(`dev/${name}`);
      }
      await link('dev/serial0', 'ttyAMA0');
      await link('dev/serial/by-id/usb-1a86_USB_Serial-if00-port0', '../../ttyUSB0');
      await link('dev/serial/by-path/pci-0000:00:14.0-usb-0:1:1.0-port0', '../../ttyUSB0');
      await link('dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0', '../../ttyUSB1');
      await link('dev/serial/by-path/gone', '../../ttyUSB7');
      const [serial] = await survey();
      expect(serial?.devices.map(({ path, file }) => [path, file])).to.deep.equal([
        ['/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0', 'ttyUSB0'],
        ['/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0', 'ttyUSB1'],
        ['/dev/serial0', 'ttyAMA0'],
        ['/dev/ttyACM9', 'ttyACM9'],
        ['/dev/ttyACM10', 'ttyACM10'],
      ]);
    });

    /** Makes a terminal in the files of the kernel, with or without a device and a type. */
    async function terminal(name: string, device?: string, type?: string): Promise<void> {
      const place = `sys/devices/${device ?? 'virtual'}/tty/${name}`;
      await touch(`dev/${name}`);
      await touch(`${place}/dev`, '4:64\n');
      if (type !== undefined) await touch(`${place}/type`, `${type}\n`);
      if (device !== undefined) await link(`${place}/device`, '../..');
      await link(`sys/class/tty/${name}`, `../../devices/${device ?? 'virtual'}/tty/${name}`);
    }

    it('finds serial lines by the data of the kernel, not by their names', async () => {
      await terminal('ttyS0', 'platform/3f215040.serial', '4');
      for (const n of [1, 2, 3]) await terminal(`ttyS${n}`, 'platform/serial8250', '0');
      await terminal('ttyAMA0', 'platform/3f201000.serial', '32');
      await terminal('ttySC1', 'platform/spi0/spi0.0', '95');
      await terminal('ttymxc2', 'platform/soc/30890000.serial', '62');
      await terminal('ttyUSB0', 'pci0000:00/usb1/1-1/1-1:1.0/ttyUSB0');
      await terminal('ttyCH343USB0', 'pci0000:00/usb1/1-2/1-2:1.0');
      await terminal('rfcomm3');
      for (const name of ['tty', 'tty1', 'console', 'ptmx', 'ttyprintk', 'hvc0']) await terminal(name);
      await touch('sys/class/tty/console/active', 'tty0 ttyAMA0\n');
      await link('dev/serial0', 'ttyS0');
      const [serial] = await survey();
      expect(serial?.devices.map(({ path }) => path)).to.have.members([
        '/dev/serial0',
        '/dev/rfcomm3',
        '/dev/ttyAMA0',
        '/dev/ttyCH343USB0',
        '/dev/ttySC1',
        '/dev/ttyUSB0',
        '/dev/ttymxc2',
      ]);
      expect(
        serial?.devices.filter(({ label }) => label !== undefined).map(({ file }) => file),
      ).to.deep.equal(['ttyAMA0']);
    });

    it('leaves out serial lines that the kernel lists but that have no file, as in a container', async () => {
      await terminal('ttyUSB0', 'pci0000:00/usb1/1-1/1-1:1.0/ttyUSB0');
      await rm(folder.path('dev/ttyUSB0'));
      const [serial] = await survey();
      expect(serial?.devices).to.deep.equal([]);
    });

    it('reports that pcscd is installed but does not run', async () => {
      await touch('usr/sbin/pcscd');
      const hintOf = async (): Promise<string | undefined> => (await survey())[3]?.hints[0];
      expect(await hintOf()).to.match(/is installed but does not run: start it as a service$/);
      await touch('run/systemd/system/here');
      expect(await hintOf()).to.match(
        /is installed but does not run: sudo systemctl enable --now pcscd\.socket$/,
      );
    });

    it('gives URLs of the found devices, for all names', async () => {
      const names = ['usb-a?b', 'usb-a%b', 'usb-a#b', 'usb-a b', 'usb-ä', 'usb-a:b@c'];
      for (const [n, name] of names.entries()) {
        await touch(`dev/ttyUSB${n}`);
        await link(`dev/serial/by-id/${name}`, `../../ttyUSB${n}`);
      }
      const [serial] = await survey();
      const clock = { now: () => 0, monotonicMs: () => 0 } as never;
      const found = urlsOf(serial).map((url) => createReader(url, { clock }).name);
      expect(found).to.have.members(names.map((name) => `serial:/dev/serial/by-id/${name}`));
    });

    it('finds chips with their labels, and uses the label of the chip of the pins', async () => {
      for (const n of [0, 4, 10]) await touch(`dev/gpiochip${n}`);
      for (const other of ['gpiochip', 'gpiochip0p1', 'my-gpiochip0']) await touch(`dev/${other}`);
      await touch('bin/gpiomon');
      const labels = new Map([
        ['gpiochip0', 'gpio-brcmstb@107d508500'],
        ['gpiochip4', 'pinctrl-rp1'],
      ]);
      const [, chips] = await survey({ readChipLabels: () => Promise.resolve(labels) });
      expect(urlsOf(chips)).to.deep.equal([
        'wiegand:/dev/gpiochip0?d0=17&d1=18',
        'wiegand:pinctrl-rp1?d0=17&d1=18',
        'wiegand:/dev/gpiochip10?d0=17&d1=18',
      ]);
      expect(chips?.devices.map(({ label }) => label)).to.deep.equal([...labels.values(), undefined]);
      expect(chips?.hints).to.deep.equal([]);
    });

    it('gives URLs of each kind that the service takes', async () => {
      for (const path of [
        'dev/ttyUSB0',
        'dev/gpiochip0',
        'dev/gpiochip4',
        'dev/input/event0',
        'run/pcscd/pcscd.comm',
      ]) {
        await touch(path);
      }
      await link('dev/input/by-id/usb-Reader-event-kbd', '../event0');
      const parts = await survey({
        readChipLabels: () => Promise.resolve(new Map([['gpiochip4', 'pinctrl-rp1']])),
        listPcscReaders: () => Promise.resolve(['ACS ACR122U (CCID) 00 00']),
      });
      const clock = { now: () => 0, monotonicMs: () => 0 } as never;
      const kinds = parts.flatMap(urlsOf).map((url) => createReader(url, { clock }).kind);
      expect(kinds).to.deep.equal(['serial', 'wiegand', 'wiegand', 'hid', 'pcsc']);
    });

    it('finds keyboards by their ids, but not mice', async () => {
      for (const n of [0, 1, 2]) await touch(`dev/input/event${n}`);
      await link('dev/input/by-id/usb-Sycreader_USB_Reader-event-kbd', '../event0');
      await link('dev/input/by-id/usb-Logitech_Mouse-event-mouse', '../event1');
      await link('dev/input/by-path/platform-usb-0:1.2:1.0-event-kbd', '../event2');
      await touch('bin/evtest');
      const [, , keyboards] = await survey();
      expect(urlsOf(keyboards)).to.deep.equal([
        'hid:/dev/input/by-id/usb-Sycreader_USB_Reader-event-kbd',
        'hid:/dev/input/by-path/platform-usb-0:1.2:1.0-event-kbd',
      ]);
      expect(keyboards?.hints).to.deep.equal([]);
    });

    it('lists missing programs that the devices need', async () => {
      await touch('dev/gpiochip0');
      await touch('dev/input/event0');
      await link('dev/input/by-id/usb-reader-event-kbd', '../event0');
      await touch('run/pcscd/pcscd.comm');
      const parts = await survey();
      expect(parts.map(({ hints }) => hints)).to.deep.equal([
        [],
        ['they need the program gpiomon, which is not installed: sudo apt install gpiod'],
        ['they need the program evtest, which is not installed: sudo apt install evtest'],
        [],
      ]);
    });

    it('names two PC/SC readers of one kind in full', async () => {
      await touch('run/pcscd/pcscd.comm');
      const names = ['ACR122U 00 00', 'ACR122U 01 00', 'SCM 02 00'];
      const [, , , pcsc] = await survey({ listPcscReaders: () => Promise.resolve(names) });
      expect(urlsOf(pcsc)).to.deep.equal(['pcsc:ACR122U%2000%2000', 'pcsc:ACR122U%2001%2000', 'pcsc:SCM']);
    });

    it('names PC/SC readers by the stable part of their names', async () => {
      await touch('run/pcscd/pcscd.comm');
      const name = 'ACS ACR122U PICC Interface 00 00';
      const [, , , pcsc] = await survey({ listPcscReaders: () => Promise.resolve([name]) });
      expect(urlsOf(pcsc)).to.deep.equal(['pcsc:ACS%20ACR122U%20PICC%20Interface']);
      expect(describeSurvey(pcsc === undefined ? [] : [pcsc]).slice(0, 4)).to.deep.equal([
        'PC/SC readers',
        `  ${name}`,
        '    may be used',
        "    --reader 'pcsc:ACS%20ACR122U%20PICC%20Interface'",
      ]);
    });

    it('reports why PC/SC readers cannot be listed', async () => {
      await touch('run/pcscd/pcscd.comm');
      const fails = (): Promise<never> => Promise.reject(new Error('install pcsc-mini'));
      const [, , , pcsc] = await survey({ listPcscReaders: fails });
      expect(pcsc).to.deep.include({ devices: [], hints: ['install pcsc-mini'] });
    });

    it('reports missing rights with advice, and the user of a device', async () => {
      await touch('dev/ttyUSB0');
      await touch('dev/ttyUSB1');
      await touch('etc/group', `root:x:0:\nstaff:x:${gid}:\n`);
      const [serial] = await survey({
        findHolder: (path) => Promise.resolve(path.endsWith('0') ? 'agetty (7)' : undefined),
        mayAccess: (path) =>
          String(path).endsWith('0') ? Promise.resolve() : Promise.reject(new Error('EACCES')),
      });
      const [first, second] = serial?.devices ?? [];
      expect(first).to.deep.include({ access: { isAllowed: true }, holder: 'agetty (7)' });
      expect(second?.access.isAllowed).to.equal(false);
      expect(second).to.not.have.property('holder');
    });

    it('demands the right to read and write serial lines and chips, and to read keyboards', async () => {
      for (const path of ['dev/ttyUSB0', 'dev/gpiochip0', 'dev/input/event0']) await touch(path);
      await link('dev/input/by-id/usb-Reader-event-kbd', '../event0');
      const asked = new Map<string, number | undefined>();
      await survey({
        mayAccess: (path, mode) => {
          asked.set(basename(String(path)), mode);
          return Promise.resolve();
        },
      });
      const { R_OK, W_OK } = constants;
      expect([...asked]).to.have.deep.members([
        ['ttyUSB0', R_OK | W_OK],
        ['gpiochip0', R_OK | W_OK],
        ['event0', R_OK],
      ]);
    });

    it('is written for people, with commands to copy', () => {
      const access = {
        isAllowed: false,
        why: 'only the group dialout may use it',
        remedy: 'sudo usermod',
      } as const;
      const lines = describeSurvey([
        {
          title: 'Serial lines',
          devices: [
            {
              path: '/dev/serial0',
              file: 'ttyAMA0',
              access,
              holder: 'agetty (7)',
              url: 'serial:/dev/serial0',
            },
            {
              path: '/dev/ttyACM0',
              file: 'ttyACM0',
              access: { isAllowed: true },
              url: 'serial:/dev/ttyACM0',
            },
          ],
          hints: [],
        },
        { title: 'GPIO chips', devices: [], hints: ['they need a program'] },
      ]);
      expect(lines.slice(0, -2)).to.deep.equal([
        'Serial lines',
        '  /dev/serial0 (ttyAMA0)',
        '    may not be used: only the group dialout may use it',
        '    do: sudo usermod',
        '    in use by agetty (7)',
        "    --reader 'serial:/dev/serial0'",
        '  /dev/ttyACM0',
        '    may be used',
        "    --reader 'serial:/dev/ttyACM0'",
        '',
        'GPIO chips',
        '  none',
        '  they need a program',
        '',
      ]);
    });
  });

  describe('the advice', () => {
    const dialout = { group: 'dialout', isGroupAllowed: true };

    it('is to join the group', () => {
      expect(advise(dialout, { name: 'ada', isMember: false })).to.deep.equal({
        isAllowed: false,
        why: 'only the group dialout may use it, and ada is not in it',
        remedy: 'sudo usermod -aG dialout ada   # then log in again, or restart the service',
      });
    });

    it('is to log in again if the user has joined the group meanwhile', () => {
      expect(advise(dialout, { name: 'ada', isMember: true })).to.deep.include({
        why: 'ada was added to the group dialout after this session began',
        remedy: 'log in again, or restart the service',
      });
    });

    it('is a udev rule if no group may use the device, or only that of root', () => {
      for (const rights of [
        { group: 'gpio', isGroupAllowed: false },
        { group: 'root', isGroupAllowed: true },
      ]) {
        const access = advise(rights, { name: 'ada', isMember: false });
        expect(access).to.have.property('remedy').that.contains('99-tallybook.rules');
        expect(access).to.have.property('why', 'only root may use it, and this is ada');
      }
    });

    it('is derived from the mode of the file and the list of groups', async () => {
      const refuse = (): Promise<void> => Promise.reject(new Error('EACCES'));
      await touch('line');
      const file = folder.path('line');
      const whyNot = async (groups: string, need: 'read' | 'read and write'): Promise<string> => {
        await touch('group', groups);
        const access = await new DeviceRightsReader(folder.path('group'), refuse).accessTo(file, need);
        return access.isAllowed ? 'allowed' : access.why;
      };
      // The mode of the file is 755: its group may read it, but not write to it.
      expect(await whyNot(`staff:x:${gid}:\n`, 'read')).to.contain(
        `only the group staff may use it, and ${username} is not`,
      );
      expect(await whyNot(`staff:x:${gid}:a,${username}\n`, 'read')).to.contain(
        `${username} was added to the group staff`,
      );
      expect(await whyNot(`staff:x:${gid}:\n`, 'read and write')).to.contain('only root may use it');
      expect(await whyNot('', 'read')).to.contain(`only the group ${gid} may use it`);
    });
  });

  it('gets the labels of chips from gpiodetect of both versions, and none without it', async () => {
    const path = process.env['PATH'];
    try {
      process.env['PATH'] = folder.path('nowhere');
      expect(await readChipLabels()).to.deep.equal(new Map());
      await touch('bin/gpiodetect', '#!/bin/sh\necho "gpiochip0 [pinctrl-bcm2711] (58 lines)"\necho noise\n');
      process.env['PATH'] = `${folder.path('bin')}:${path}`;
      expect(await readChipLabels()).to.deep.equal(new Map([['gpiochip0', 'pinctrl-bcm2711']]));
    } finally {
      process.env['PATH'] = path;
    }
  });

  describe('the suggestion', () => {
    const dependencies = { clock: new ManualClock() };

    /** The suggested parameters after these bytes. */
    function suggest(parameters: string, bytes: string): string | undefined {
      const url = `serial:/dev/ttyS0${parameters}`;
      const reader = createReader(url, dependencies);
      if (!(reader instanceof SerialIdSource)) throw new Error('it is another reader');
      const suggestion = suggestReader(url, reader, Buffer.from(bytes, 'latin1'), dependencies);
      return (
        suggestion &&
        `${suggestion.what.split(' ')[0]} ${String(suggestion.url).replace('serial:/dev/ttyS0', '')}`
      );
    }

    const digits = '0006547886\r\n';
    const suggestions: readonly (readonly [given: string, bytes: string, suggestion: string | undefined])[] =
      [
        ['', '\x0262E3086CED08\x03', undefined],
        ['?format=dec10', '\x0262E3086CED08\x03', undefined],
        ['?protocol=id12&format=dec10&keep=3', '62E3086CED08', 'frames ?protocol=em18&format=dec10&keep=3'],
        ['?protocol=lines', digits, 'lines ?protocol=lines&format=dec10'],
        ['?protocol=lines&format=dec10', digits, undefined],
        ['?protocol=lines&format=dec10', '04A1B2C3\r\n', 'lines ?protocol=lines'],
        ['?protocol=lines&pattern=x(.*)', digits, 'lines ?protocol=lines&format=dec10'],
        ['?protocol=lines&keep=4&name=a%20b', 'M-471\r\n', 'lines ?protocol=lines&format=text&name=a%20b'],
        ['?protocol=lines&format=text', '62E3086CED08', 'frames ?protocol=em18'],
        ['', '62E3086CED08', 'frames ?protocol=em18'],
        ['?protocol=pn532', '62E3086CED08', 'frames ?protocol=em18&baud=115200'],
        ['?baud=19200', '62E3086CED08', 'frames ?protocol=em18&baud=19200'],
        [
          '?protocol=id12&checksum=keep',
          '\x02\x0a\x02\x2e\x00\xb6\xd7\xb5\xf2\x03',
          'frames ?protocol=7941d',
        ],
        [
          '?protocol=parallax',
          'UID: 04 A1 B2 C3\r\n',
          `lines ?protocol=lines&pattern=${encodeURIComponent('^UID: ([0-9A-Fa-f]{2}(?:[ :-][0-9A-Fa-f]{2}){3})$')}&baud=2400`,
        ],
        ['', 'UID 04A1B2C3', 'text undefined'],
        ['', '\xff\xfe', undefined],
      ];
    for (const [given, bytes, suggestion] of suggestions) {
      it(`is ${suggestion ?? 'none'} for "${given}" after ${JSON.stringify(bytes)}`, () => {
        expect(suggest(given, bytes)).to.equal(suggestion);
      });
    }
  });
});
