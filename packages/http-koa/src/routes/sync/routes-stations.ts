import { emptyAnswer, type Handlers } from '../implement.js';
import type { SyncCentre } from './sync-centre.js';

/** The stations that send here, and their state; and removing a station from the list. */
export function stationHandlers(
  centre: Pick<SyncCentre, 'stations' | 'removeStation'>,
): Handlers<'GET /api/stations' | 'DELETE /api/stations'> {
  return {
    'GET /api/stations': async () =>
      (await centre.stations()).map(({ status, ...station }) => ({ ...status, ...station })),
    'DELETE /api/stations': async ({ ctx, query: { name } }) => {
      if (!(await centre.removeStation(name))) ctx.throw(404, 'there is no such station');
      return emptyAnswer(204);
    },
  };
}
