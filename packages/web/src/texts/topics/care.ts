import type { Topic } from '../language.js';

const en = {
  health: 'Health',
  status: {
    ok: 'Everything is well',
    warn: 'Something needs a look',
    fail: 'Something does not work',
  },
  parts: {
    store: 'Store',
    disk: 'Disk space',
    readers: 'Readers',
    clock: 'Clock',
    backlog: 'Taps that wait',
    publishers: 'Publishers',
    backup: 'Backup',
    audit: 'Audit trail',
    access: 'Access',
    upstream: 'Centre',
    stations: 'Stations',
  },
  partStatus: { ok: 'well', warn: 'needs a look', fail: 'does not work' },
  administration: 'Administration',
  stopped: 'Stopped',
  setAside: 'Refused',
  sendAgain: 'Send again',
};

/** Texts of the care page that are not loaded at the start. */
export const careTexts: Topic<typeof en> = {
  en,
  de: {
    health: 'Zustand',
    status: {
      ok: 'Alles in Ordnung',
      warn: 'Etwas braucht einen Blick',
      fail: 'Etwas geht nicht',
    },
    parts: {
      store: 'Speicher',
      disk: 'Platz auf dem Datenträger',
      readers: 'Leser',
      clock: 'Uhr',
      backlog: 'Wartende Buchungen',
      publishers: 'Weitergabe',
      backup: 'Sicherung',
      audit: 'Protokoll',
      access: 'Zugang',
      upstream: 'Zentrale',
      stations: 'Stationen',
    },
    partStatus: { ok: 'in Ordnung', warn: 'braucht einen Blick', fail: 'geht nicht' },
    administration: 'Verwaltung',
    stopped: 'Angehalten',
    setAside: 'Abgelehnt',
    sendAgain: 'Erneut senden',
  },
};
