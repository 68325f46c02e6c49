import { expect } from 'chai';
import { TallybookClientError, type Session as SessionInfo } from '@tallybook/client';
import { Access } from '../../src/state/access.js';

const OUTSIDE: SessionInfo = {
  access: 'claimed',
  user: null,
  groups: [],
  actions: [],
  isInsecure: false,
  expiresAt: null,
  provider: null,
  hasPasskeys: false,
};
const INSIDE: SessionInfo = {
  ...OUTSIDE,
  user: { name: 'ada', role: 'viewer' },
  actions: ['see-today', 'see-record'],
  expiresAt: 10_000,
};

describe('Access', () => {
  let answer: SessionInfo | Error;
  let asked: string[];
  let nowMs: number;
  let access: Access;
  let lost: number;

  beforeEach(() => {
    answer = INSIDE;
    asked = [];
    nowMs = 0;
    lost = 0;
    const service = {
      readSession: (): Promise<SessionInfo> => {
        asked.push('read');
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      signOut: (): Promise<boolean> => {
        asked.push('sign out');
        answer = OUTSIDE;
        return Promise.resolve(true);
      },
      finishAtProvider: (): Promise<SessionInfo> => Promise.resolve(INSIDE),
    };
    access = new Access(service, () => nowMs);
    access.onLost = () => lost++;
  });

  const loadAs = (next: SessionInfo | Error): Promise<void> => {
    answer = next;
    return access.load();
  };

  it('is what the service says, and everything before it has said anything', async () => {
    expect([access.may('change-names'), access.info.value]).to.deep.equal([true, undefined]);
    expect([access.isManaged(), access.hasEnded.value]).to.deep.equal([false, false]);
    await access.load();
    expect([access.may('see-record'), access.may('change-names')]).to.deep.equal([true, false]);
    expect([access.mayNow('see-record'), access.mayNow('change-names')]).to.deep.equal([true, false]);
    expect(access.isManaged()).to.equal(true);
  });

  it('is asked for once by all who ask at the same time', async () => {
    await Promise.all([access.load(), access.load()]);
    expect(asked).to.deep.equal(['read']);
  });

  it('of a service without users is everything that such a service does', async () => {
    await loadAs(new TallybookClientError('invalid-answer', 'no such page', { status: 404 }));
    expect(access.info.value).to.deep.equal({
      access: 'open',
      user: null,
      groups: [],
      actions: [
        ...[
          'see-today',
          'see-record',
          'see-service',
          'change-names',
          'add-guests',
          'export-record',
          'back-up',
        ],
        ...['set-time', 'remove-days'],
      ],
      isInsecure: false,
      expiresAt: null,
      provider: null,
      hasPasskeys: false,
    });
    expect(['set-time', 'manage-access'].map((action) => access.may(action))).to.deep.equal([true, false]);
    expect([access.isManaged(), access.isOutside()]).to.deep.equal([false, false]);
  });

  it('stays as it was while the service cannot be asked', async () => {
    await access.load();
    await loadAs(new TallybookClientError('network', 'gone'));
    expect(access.info.value).to.equal(INSIDE);
    expect(lost).to.equal(0);
  });

  it('is lost when a refusal shows that the session has ended; who was here is forgotten', async () => {
    access.noteRefusal();
    expect(asked).to.deep.equal([]);
    await access.load();
    answer = OUTSIDE;
    access.noteRefusal();
    expect(asked).to.deep.equal(['read', 'read']);
    await access.load();
    expect([lost, access.hasEnded.value]).to.deep.equal([1, true]);
    access.noteRefusal();
    access.take(INSIDE);
    expect([lost, access.hasEnded.value, asked.length]).to.deep.equal([1, false, 2]);
  });

  it('is found when somebody has signed in in another tab, and is outside before', async () => {
    let signedIn = 0;
    access.onSignedIn = () => signedIn++;
    expect(access.isOutside()).to.equal(false);
    answer = OUTSIDE;
    await access.lookAgain();
    expect([access.isOutside(), signedIn]).to.deep.equal([true, 0]);
    answer = INSIDE;
    await access.lookAgain();
    expect([access.isOutside(), signedIn]).to.deep.equal([false, 1]);
  });

  it('is no longer said to have ended when somebody has signed in in another tab', async () => {
    await access.load();
    await loadAs(OUTSIDE);
    expect(access.hasEnded.value).to.equal(true);
    answer = INSIDE;
    await access.lookAgain();
    expect(access.hasEnded.value).to.equal(false);
  });

  it('is outside for whoever may do nothing, and inside for whoever may do something', async () => {
    await loadAs(OUTSIDE);
    expect(access.isOutside()).to.equal(true);
    await loadAs({ ...OUTSIDE, actions: ['see-today'] });
    expect(access.isOutside()).to.equal(false);
  });

  it('is not lost by a refusal of something else, as of a wrong password', async () => {
    await access.load();
    access.noteRefusal();
    await access.load();
    expect([lost, access.hasEnded.value]).to.deep.equal([0, false]);
  });

  it('is not said to have ended by itself for somebody who was never signed in, or has left', async () => {
    await loadAs(OUTSIDE);
    expect([lost, access.hasEnded.value]).to.deep.equal([0, false]);
    access.take(INSIDE);
    await access.leave();
    expect(access.hasEnded.value).to.equal(false);
    expect(lost).to.be.at.least(1);
    expect(access.info.value).to.equal(OUTSIDE);
  });

  it('says ten minutes before that it ends, and asks now and then whether it was renewed', async () => {
    await access.load();
    expect([9_399, 9_400, 9_990, 10_001].map((now) => access.endsIn(now))).to.deep.equal([
      undefined,
      600,
      10,
      0,
    ]);
    const beat = async (atMs: number, now: number): Promise<number> => {
      asked.length = 0;
      nowMs = atMs;
      access.beat(now);
      const count = asked.length;
      await access.load();
      return count;
    };
    expect(await beat(20_000, 9_000)).to.equal(0);
    expect(await beat(20_000, 9_500)).to.equal(1);
    expect(await beat(49_999, 9_500)).to.equal(0);
    expect(await beat(50_000, 9_500)).to.equal(1);
  });

  it('that never ends is never said to', async () => {
    await loadAs({ ...INSIDE, expiresAt: null });
    expect(access.endsIn(1e12)).to.equal(undefined);
  });
});
