import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManualClock, Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { HidIdSource, SerialIdSource, WiegandIdSource, type ObservableIdSource } from '../../src/index.js';
import { EvtestStandIn } from '../hid/evtest-stand-in.js';
import { GpiomonStandIn } from '../wiegand/gpiomon-stand-in.js';
import { PluggableLine } from './pluggable-line.js';
import { RunningClock } from '../fixtures/running-clock.js';

/** So long that only the watch for the device file can reconnect in time. */
const retryDelayMs = (): number => 3_600_000;

/** Opens a reader, unplugs its device, plugs it in again, and closes the reader. */
async function comesBack(
  source: ObservableIdSource,
  device: { readonly plug: () => Promise<void>; readonly unplug: () => Promise<void> },
): Promise<void> {
  const connections = new Recorder(source.connections);
  await source.open();
  try {
    await connections.count(1);
    await device.unplug();
    await connections.count(2);
    await device.plug();
    expect(await connections.count(3)).to.deep.equal(['connected', 'waiting', 'connected']);
  } finally {
    await source.close();
  }
}

describe('A reader is back when it is plugged in again, long before another attempt is due', () => {
  const folder = useTempDirectory();
  let path: string;

  beforeEach(async () => {
    path = join(folder.path, 'device');
    await writeFile(path, '');
  });

  it('on a serial line that a link leads to', async () => {
    const line = await PluggableLine.create();
    await comesBack(new SerialIdSource({ path: line.path, retryDelayMs }, new ManualClock()), {
      unplug: () => line.unplug(),
      plug: () => line.plug(),
    });
    await line.dispose();
  });

  it('as a keyboard', async () => {
    const evtest = new EvtestStandIn();
    await comesBack(new HidIdSource({ path, silenceMs: 50, retryDelayMs }, new RunningClock()), {
      unplug: async () => {
        await rm(path);
        evtest.unplug();
      },
      plug: async () => {
        evtest.plug();
        await writeFile(path, '');
      },
    });
    evtest.dispose();
  });

  it('on pins of a chip', async () => {
    const gpiomon = new GpiomonStandIn('2.2.1');
    const options = { chip: path, d0: 17, d1: 18, retryDelayMs };
    await comesBack(new WiegandIdSource(options, new RunningClock()), {
      unplug: async () => {
        await rm(path);
        gpiomon.refuse();
      },
      plug: async () => {
        gpiomon.accept();
        await writeFile(path, '');
      },
    });
    gpiomon.dispose();
  });
});
