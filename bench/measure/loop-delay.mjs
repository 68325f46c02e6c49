// Loaded into a process that is measured: at SIGUSR2 it writes down the longest turn since the last time.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_DELAY_FILE, String(delay.max / 1e6));
  delay.reset();
});
