import { access, constants, readdir, realpath } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { readChipLabels } from '@tallybook/devices';
import { findHolder, listPcscReaders } from '@tallybook/readers';
import { DeviceRightsReader, type DeviceAccess } from './device-access.js';
import { findSerialLines } from './serial-lines.js';

/** A device that can be a reader or an indicator. */
export interface FoundDevice {
  /** The most stable path of the device. */
  readonly path: string;
  /** The name of the device file, which may change at the next start. */
  readonly file: string;
  /** A label of the device itself, such as the label of a chip. */
  readonly label?: string;
  readonly access: DeviceAccess;
  /** The program that has the device open, if this user can see it. */
  readonly holder?: string;
  /** The value for `--reader`, without parts that only the owner of the reader knows. */
  readonly url: string;
}

/** The devices of one kind. */
export interface SurveyPart {
  readonly title: string;
  readonly devices: readonly FoundDevice[];
  /** Advice about other missing things, such as a program. */
  readonly hints: readonly string[];
}

export interface DeviceSurveyOptions {
  /** The folder with `dev`, `etc`, `run`, `sys` and `usr`. Default: `/`. */
  readonly root?: string;
  /** Names the program that has a file open, if it can find one. */
  readonly findHolder: (path: string) => Promise<string | undefined>;
  /** The labels of GPIO chips by their names, such as `gpiochip0`; empty if they are unknown. */
  readonly readChipLabels: () => Promise<ReadonlyMap<string, string>>;
  /** The names of the PC/SC readers. Rejects with advice if pcscd cannot be reached. */
  readonly listPcscReaders: () => Promise<readonly string[]>;
  /** Checks the rights in the system. Default: `access` of Node. */
  readonly mayAccess?: typeof access;
  /** Folders to search for programs, in the form of `PATH`. */
  readonly programPath: string;
}

/** The devices of this machine. */
export function surveyDevices(): Promise<readonly SurveyPart[]> {
  const programPath = process.env['PATH'] ?? '';
  return new DeviceSurvey({ findHolder, readChipLabels, listPcscReaders, programPath }).find();
}

/** The chip with the pins of a Raspberry Pi. Its other chips drive its own parts, or belong to USB adapters. */
const HEADER_CHIP = /^pinctrl-(?:rp1|bcm2835|bcm2711)$/;

/** Looks for devices that can be readers, without opening them. */
export class DeviceSurvey {
  readonly #root: string;
  readonly #options: DeviceSurveyOptions;
  readonly #rights: DeviceRightsReader;

  constructor(options: DeviceSurveyOptions) {
    this.#root = options.root ?? '/';
    this.#options = options;
    this.#rights = new DeviceRightsReader(join(this.#root, 'etc/group'), options.mayAccess);
  }

  async find(): Promise<readonly SurveyPart[]> {
    return [
      await this.#findSerial(),
      await this.#findChips(),
      await this.#findKeyboards(),
      await this.#findPcsc(),
    ];
  }

  async #findSerial(): Promise<SurveyPart> {
    const lines = await findSerialLines(this.#root);
    const files = await this.#byFile([
      ['dev/serial/by-id', () => true],
      ['dev/serial/by-path', () => true],
      ['dev', (name) => /^serial[0-9]+$/.test(name)],
      ['dev', lines.isOne],
    ]);
    const devices = [...files].map(async ([file, path]) => {
      const device = await this.#describe(file, path, 'read and write', `serial:${escapePath(path)}`);
      if (!lines.consoles.includes(device.file)) return device;
      return { ...device, label: 'a console of the kernel' };
    });
    return { title: 'Serial lines', devices: await Promise.all(devices), hints: [] };
  }

  async #findChips(): Promise<SurveyPart> {
    const files = await this.#byFile([['dev', (name) => /^gpiochip[0-9]+$/.test(name)]]);
    const labels = files.size === 0 ? new Map<string, string>() : await this.#options.readChipLabels();
    const devices = [...files].map(async ([file, path]) => {
      const label = labels.get(basename(file));
      const chip = label !== undefined && HEADER_CHIP.test(label) ? label : path;
      const device = await this.#describe(file, path, 'read and write', `wiegand:${chip}?d0=17&d1=18`);
      return label === undefined ? device : { ...device, label };
    });
    const hints = files.size > 0 ? await this.#hintAtProgram('gpiomon', 'gpiod') : [];
    return { title: 'GPIO chips', devices: await Promise.all(devices), hints };
  }

  async #findKeyboards(): Promise<SurveyPart> {
    const files = await this.#byFile([
      ['dev/input/by-id', isKeyboard],
      ['dev/input/by-path', isKeyboard],
    ]);
    const devices = [...files].map(([file, path]) =>
      this.#describe(file, path, 'read', `hid:${escapePath(path)}`),
    );
    const hints = files.size > 0 ? await this.#hintAtProgram('evtest', 'evtest') : [];
    return { title: 'Keyboards, and readers that type', devices: await Promise.all(devices), hints };
  }

  async #findPcsc(): Promise<SurveyPart> {
    const title = 'PC/SC readers';
    if (!(await exists(join(this.#root, 'run/pcscd/pcscd.comm'), constants.F_OK))) {
      return { title, devices: [], hints: [await this.#hintAtPcscd()] };
    }
    try {
      const names = await this.#options.listPcscReaders();
      const devices = names.map((name): FoundDevice => {
        const isAlone = names.filter((other) => lasting(other) === lasting(name)).length === 1;
        const url = `pcsc:${encodeURIComponent(isAlone ? lasting(name) : name)}`;
        return { path: name, file: name, access: { isAllowed: true }, url };
      });
      return { title, devices, hints: [] };
    } catch (error) {
      return { title, devices: [], hints: [error instanceof Error ? error.message : String(error)] };
    }
  }

  async #hintAtPcscd(): Promise<string> {
    const places = ['usr/sbin', 'usr/bin', 'sbin', 'usr/local/sbin'].map((folder) =>
      join(this.#root, folder),
    );
    const isInstalled = await this.#isProgram('pcscd', places);
    if (!isInstalled) return 'they need the service pcscd, which is not installed: sudo apt install pcscd';
    const hasSystemd = await exists(join(this.#root, 'run/systemd/system'), constants.F_OK);
    const remedy = hasSystemd ? 'sudo systemctl enable --now pcscd.socket' : 'start it as a service';
    return `they need the service pcscd, which is installed but does not run: ${remedy}`;
  }

  async #describe(
    file: string,
    path: string,
    need: 'read' | 'read and write',
    url: string,
  ): Promise<FoundDevice> {
    const [rights, holder] = await Promise.all([
      this.#rights.accessTo(file, need),
      this.#options.findHolder(file),
    ]);
    return {
      path,
      file: basename(file),
      access: rights,
      ...(holder === undefined ? {} : { holder }),
      url,
    };
  }

  /** The first path to each device file. */
  async #byFile(
    places: readonly (readonly [folder: string, isOne: (name: string) => boolean])[],
  ): Promise<Map<string, string>> {
    // Made here, because the first collator loads tables of 3 MiB, which a server does not need.
    const byNumber = new Intl.Collator('en', { numeric: true }).compare;
    const paths = new Map<string, string>();
    for (const [folder, isOne] of places) {
      const names = await readdir(join(this.#root, folder)).catch(() => []);
      for (const name of names.filter(isOne).sort(byNumber)) {
        const path = `/${folder}/${name}`;
        // The target of the link is gone: udev will remove the link soon.
        const file = await realpath(join(this.#root, path)).catch(() => undefined);
        if (file !== undefined && !paths.has(file)) paths.set(file, path);
      }
    }
    return paths;
  }

  async #hintAtProgram(program: string, parcel: string): Promise<readonly string[]> {
    if (await this.#isProgram(program)) return [];
    return [`they need the program ${program}, which is not installed: sudo apt install ${parcel}`];
  }

  /** Whether a program is in the path, or in one of some other folders, such as folders only for root. */
  async #isProgram(program: string, others: readonly string[] = []): Promise<boolean> {
    for (const folder of [...this.#options.programPath.split(delimiter), ...others]) {
      if (await exists(join(folder, program), constants.X_OK)) return true;
    }
    return false;
  }
}

function isKeyboard(name: string): boolean {
  return name.endsWith('-event-kbd');
}

function exists(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** The name of a PC/SC reader without the numbers at its end, which change when it is plugged in again. */
function lasting(name: string): string {
  return name.replace(/( [0-9]{2})+$/, '');
}

/** Escapes characters of a path that have a meaning in a URL. */
function escapePath(path: string): string {
  return encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23').replaceAll('@', '%40');
}

/** The survey for people: the devices, whether they may be used, what to do if not, and the setting to copy. */
export function describeSurvey(parts: readonly SurveyPart[]): readonly string[] {
  return [
    ...parts.flatMap(({ title, devices, hints }) => [
      title,
      ...(devices.length === 0 ? ['  none'] : devices.flatMap(describeDevice)),
      ...hints.map((hint) => `  ${hint}`),
      '',
    ]),
    "A reader that types also works as --reader 'stdin:' if the service runs in a terminal.",
    "To see what a reader reads, give its URL and hold a tag to it: tallybook doctor --reader 'URL'",
  ];
}

function describeDevice({ path, file, label, access, holder, url }: FoundDevice): readonly string[] {
  const names = [...(path.endsWith(`/${file}`) || path === file ? [] : [file]), ...(label ? [label] : [])];
  return [
    `  ${path}${names.length === 0 ? '' : ` (${names.join(', ')})`}`,
    ...(access.isAllowed
      ? ['    may be used']
      : [`    may not be used: ${access.why}`, `    do: ${access.remedy}`]),
    ...(holder === undefined ? [] : [`    in use by ${holder}`]),
    `    --reader '${url}'`,
  ];
}
