import { readdirSync } from 'node:fs';
import { readService } from '../service/read-service.js';
import { BASE_SECONDS, ServiceProcess } from '../service/service-process.js';
import { refusalBy } from '../verdict.js';
import type { Opener } from './flip-store.js';
import type { Opening } from './opener-process.js';
import type { OpenAnswer, OpenRequest } from './opener.js';

/** The clock becomes right after more scans than anybody makes, so no provisional scan is filed. */
const DOUBTED = '1000000000';

/** The whole service, started with `--on-damage repair`. It gets requests for all data as soon as it listens. */
export class ServiceOpener implements Opener {
  async open({ path }: OpenRequest): Promise<Opening> {
    const service = new ServiceProcess({
      store: path,
      baseSeconds: BASE_SECONDS,
      env: { ON_DAMAGE: 'repair', DOUBTED },
      onNote: () => undefined,
    });
    try {
      const { mapping, days, provisional } = await readService(await service.url());
      const waiting = provisional.map((scan) => ({ ...scan, isFiling: false }));
      return { notices: noticesIn(path), contents: { mapping, days, provisional: waiting } };
    } catch (error) {
      if (service.signal !== null) return { signal: service.signal };
      return { notices: noticesIn(path), refusal: refusalBy(error).refusal ?? '' };
    } finally {
      await service.kill();
    }
  }
}

/** The notices of the service, found by the folders and marks that it leaves after damage. */
function noticesIn(path: string): OpenAnswer['notices'] {
  const names = readdirSync(path);
  return [
    ...(names.some((name) => name.startsWith('damaged-')) ? (['repaired'] as const) : []),
    ...(names.includes('DAMAGED') ? (['damaged'] as const) : []),
  ];
}
