import type { ContainerModule } from 'inversify';
import { changesWithin } from '@tallybook/domain/record';
import { createApp, EventFeed } from '@tallybook/http-koa';
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
    return new EventFeed(
      {
        ...{ attendance, names, journal, clock, onFault },
        ...(people && {
          people,
          seenBy: (changes, within) => changesWithin(people, changes, within),
        }),
      },
      { maxSubscribers },
    );
  },
  status: (services) => {
    const {
      config: { store },
      timekeeper,
      publishers,
    } = services;
    return new StatusMonitor({
      version: readVersion(),
      timekeeper,
      publishers,
      readUpstream: () => services.upstream.read(),
      storeFolder: storeFolderOf(store),
    });
  },
  page: () => withSecurityTxt(loadPage, SECURITY_CONTACT, RELEASED_AT),
  app: (services) => {
    const { tallybook, status: statusSource, health, metrics, events, config, log, clock, page } = services;
    return createApp(
      { ...tallybook, statusSource, health, metrics, events },
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
