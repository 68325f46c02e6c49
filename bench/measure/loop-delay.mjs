// Loaded into a measured process: at each SIGUSR2 it writes the longest turn of the event loop since the previous one.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_DELAY_FILE, String(delay.max / 1e6));
  delay.reset();
});
