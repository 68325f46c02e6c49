import type { StationRecord } from '@tallybook/domain/sync';
import type Koa from 'koa';
import { sendState } from '../../answers/representation.js';
import { Query } from '../../requests/query.js';
import type { Route } from '../route.js';
import type { SyncCentre } from './sync-centre.js';

/**
 * `GET /api/stations`: the stations that send here, and their state. `DELETE`: forgets a station that is gone for good.
 */
export function stationRoutes(centre: Pick<SyncCentre, 'stations' | 'removeStation'>): readonly Route[] {
  const list = async (ctx: Koa.Context): Promise<void> => {
    sendState(ctx, (await centre.stations()).map(describe));
  };
  const remove = async (ctx: Koa.Context): Promise<void> => {
    const name = new Query(ctx).text('name') ?? '';
    if (name === '') ctx.throw(400, 'name: must be that of a station; got nothing');
    if (!(await centre.removeStation(name))) ctx.throw(404, 'there is no such station');
    ctx.status = 204;
  };
  return [
    { method: 'GET', path: '/api/stations', action: 'see-stations', handle: list },
    { method: 'DELETE', path: '/api/stations', action: 'manage-access', handle: remove },
  ];
}

function describe({ name, run, acknowledged, heardAt, status, refused }: StationRecord): object {
  const { waiting, oldestWaitingAt, provisional, isClockTrusted, version } = status;
  return {
    ...{ name, version, heardAt, waiting },
    oldestWaitingAt: oldestWaitingAt ?? null,
    ...{ provisional, isClockTrusted, run, acknowledged },
    refused: refused.map(({ run: of, cursor, at, code, message }) => ({
      run: of,
      cursor,
      at,
      code,
      message,
    })),
  };
}
