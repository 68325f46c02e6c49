import type { PushedReadings, PushResult, PushSource } from '@tallybook/domain';

/** Takes what is pushed, and answers as it is told to: by default that each was counted. */
export class ScriptedPushSource implements PushSource {
  readonly name: string;
  readonly pushed: PushedReadings[] = [];
  answer: (pushed: PushedReadings) => readonly PushResult[] | undefined = ({ readings }) =>
    readings.map(() => ({ n: undefined, outcome: 'counted' }));

  constructor(name: string) {
    this.name = name;
  }

  push(pushed: PushedReadings): Promise<readonly PushResult[] | undefined> {
    this.pushed.push(pushed);
    return Promise.resolve(this.answer(pushed));
  }
}
