import type { ExpectedAnswer } from '@tallybook/domain/access';

export const origin = 'https://tally.example:8443';
export const host = 'tally.example';
export const challenge: string = 'c'.repeat(104);
export const handle: string = 'h'.repeat(43);
export const expected: ExpectedAnswer = { origin, host, isChallenge: (text) => text === challenge };
