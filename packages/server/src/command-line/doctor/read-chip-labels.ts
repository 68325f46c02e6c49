import { startProgram } from '@tallybook/devices';

/** A line of `gpiodetect`, in libgpiod 1 and 2. */
const CHIP = /^(\S+) \[(.*)\] \([0-9]+ lines\)$/;

/** The labels of the GPIO chips, by their names; empty if libgpiod is not installed, or finds no chip. */
export async function readChipLabels(): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  const gpiodetect = startProgram('gpiodetect', [], (line) => {
    const [, name, label] = CHIP.exec(line) ?? [];
    if (name !== undefined && label !== undefined) labels.set(name, label);
  });
  await gpiodetect.ended;
  return labels;
}
