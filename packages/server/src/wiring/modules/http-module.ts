import { tmpdir } from 'node:os';
import type { ContainerModule } from 'inversify';
import { createApp, EventFeed } from '@tallybook/http-koa';
import { restorerOf } from '../../backup/restore-backup.js';
import { RELEASED_AT } from '../../config/released-at.js';
import { SECURITY_CONTACT } from '../../config/security-contact.js';
import { storeFolderOf } from '../../config/stores.js';
import { HttpListener } from '../../http/http-listener.js';
import { KeyPairWatch } from '../../http/key-pair.js';
import { loadPage } from '../../http/page.js';
import { withSecurityTxt } from '../../http/security-txt.js';
import { logCertificate } from '../../log/certificate-log.js';
import { logMisfits } from '../../log/access-log.js';
import { MeteredLog } from '../../log/metered-log.js';
import { SettingsKeeper } from '../../stored-settings/settings-keeper.js';
import { RestartRequest } from '../../systemd/restart-request.js';
import { readVersion } from '../../version.js';
import { moduleOf } from '../module-of.js';
import { StatusMonitor } from '../status-monitor.js';
import { appOptionsOf, appReportsOf } from './app-options.js';

/** The HTTP interface and its listener. */
export const httpModule: ContainerModule = moduleOf({
  events: ({ tallybook, storage: { journal, people }, clock, log, config: { maxSubscribers } }) => {
    const { attendance, names } = tallybook;
    const metered = new MeteredLog(log, clock);
    const onFault = (err: unknown): void =>
      metered.write('journal', 'error', { err }, 'event streams cannot read the journal');
    const parts = { attendance, names, journal, clock, onFault, ...(people && { people }) };
    return new EventFeed(parts, { maxSubscribers });
  },
  status: (services) => {
    const {
      config: { store, name },
      timekeeper,
      publishers,
    } = services;
    return new StatusMonitor({
      version: readVersion(),
      name,
      timekeeper,
      publishers,
      readUpstream: () => services.upstream.read(),
      storeFolder: storeFolderOf(store),
    });
  },
  page: () => withSecurityTxt(loadPage, SECURITY_CONTACT, RELEASED_AT),
  restart: () => new RestartRequest(),
  settings: (services) => {
    const { config, idSources: sources, clock, restart } = services;
    const { stored } = config;
    if (stored === undefined) return undefined;
    const { attendance } = services.tallybook;
    return new SettingsKeeper({ config, stored, sources, attendance, clock, restart });
  },
  app: (services) => {
    const { tallybook, status: statusSource, health, metrics, events, config, log, clock, page } = services;
    const { settings } = services;
    const folder = storeFolderOf(config.store) ?? tmpdir();
    const restore = restorerOf({ backup: tallybook.backup, folder });
    return createApp(
      { ...tallybook, statusSource, health, metrics, events, restore, ...(settings && { settings }) },
      {
        ...appOptionsOf(config, logMisfits(log, clock)),
        ...appReportsOf(services),
        page,
      },
    );
  },
  certificate: ({ config: { tlsCert, tlsKey }, log }) => {
    const files = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
    return new KeyPairWatch(files, logCertificate(log));
  },
  listener: ({ app, certificate: tls, config, httpMeter: meter, log, clock }) => {
    const { host, port, maxConnections, maxConnectionsPerAddress } = config;
    meter.routes = app.paths;
    const metered = new MeteredLog(log, clock);
    return new HttpListener(app.callback(), host, port, {
      tls,
      maxConnections,
      maxConnectionsPerAddress,
      meter,
      reportRefused: (limit, address) => {
        meter.noteRefused(limit);
        if (limit === 'waiting requests of one connection') {
          metered.write(
            limit,
            'warn',
            { limit, address },
            'connection cut: too many requests without an answer',
          );
          return;
        }
        const flag = limit === 'connections' ? '--max-connections' : '--max-connections-per-address';
        metered.write(limit, 'warn', { limit, address, flag }, 'connection refused: too many connections');
      },
    });
  },
});
