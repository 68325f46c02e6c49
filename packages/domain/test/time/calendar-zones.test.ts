import { expect } from 'chai';
import { compareDaysAroundChanges } from './days-around-changes.js';

/** `calendar-zones.slow.test.ts` tries all other zones. */
const ZONES: Readonly<Record<string, string>> = {
  'Europe/Berlin': 'changes at two and at three',
  'America/New_York': 'is behind UTC',
  'America/Sao_Paulo': 'changed at midnight, so that days began at one',
  'Australia/Lord_Howe': 'changes by half an hour',
  'Pacific/Apia': 'left a day out',
  'Asia/Kathmandu': 'is off by a quarter of an hour',
  'Africa/Monrovia': 'was off by seconds',
  'Europe/Dublin': 'has its summer time as standard time',
};

describe('Calendar, on every day of 23 or 25 hours from 1970 to 2039', () => {
  for (const [zone, peculiarity] of Object.entries(ZONES)) {
    it(`has the date that the wall clock shows in ${zone}, which ${peculiarity}`, () => {
      const { checks, wrong } = compareDaysAroundChanges([zone]);
      expect(wrong).to.deep.equal([]);
      expect(checks).to.be.above(10);
    });
  }
});
