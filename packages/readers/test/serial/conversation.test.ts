import { setImmediate as nextTurn } from 'node:timers/promises';
import { TallybookError } from '@tallybook/domain';
import { ManualClock } from '@tallybook/testing';
import { expect } from 'chai';
import { Conversation } from '../../src/serial/conversation.js';
import type { FrameDecoder, Prompt } from '../../src/index.js';

/** Sent and reported items with their times, for a decoder with these prompts in turn. */
function converse(...prompts: readonly Prompt[]): {
  readonly clock: ManualClock;
  readonly conversation: Conversation;
  readonly said: string[];
} {
  const clock = new ManualClock();
  const said: string[] = [];
  const rest = [...prompts];
  const decoder: FrameDecoder = {
    push: () => [],
    prompt: () => rest.shift() ?? { againMs: 1_000_000 },
  };
  const conversation = new Conversation(decoder, clock, {
    send: (bytes) => said.push(`${clock.monotonicMs()}: ${bytes.join()}`),
    report: ({ code }) => said.push(`${clock.monotonicMs()}: ${code}`),
  });
  return { clock, conversation, said };
}

const one = { bytes: Uint8Array.of(1), againMs: 100 };
const two = { bytes: Uint8Array.of(2), againMs: 100 };

describe('Conversation', () => {
  it('sends the bytes of each prompt when it is time', async () => {
    const { clock, conversation, said } = converse(one, { againMs: 50 }, two);
    conversation.goOn();
    for (const passMs of [99, 1, 49, 1, 99]) {
      clock.advance(passMs);
      await nextTurn();
    }
    expect(said).to.deep.equal(['0: 1', '150: 2']);
  });

  it('asks for the next prompt at once after received bytes, and not at the time of the former one', async () => {
    const { clock, conversation, said } = converse(one, two, { bytes: Uint8Array.of(3), againMs: 1_000 });
    conversation.goOn();
    clock.advance(60);
    conversation.goOn();
    clock.advance(90);
    await nextTurn();
    expect(said).to.deep.equal(['0: 1', '60: 2']);
    clock.advance(10);
    await nextTurn();
    expect(said).to.deep.equal(['0: 1', '60: 2', '160: 3']);
  });

  it('reads bytes that came while the process was blocked before it asks again', async () => {
    const { clock, conversation, said } = converse(one, { againMs: 1_000 }, two);
    conversation.goOn();
    clock.advance(100);
    conversation.goOn();
    await nextTurn();
    expect(said).to.deep.equal(['0: 1']);
  });

  it('reports the fault of a prompt', () => {
    const { conversation, said } = converse({ ...one, fault: new TallybookError('FRAME_INVALID', 'silent') });
    conversation.goOn();
    expect(said).to.deep.equal(['0: FRAME_INVALID', '0: 1']);
  });

  it('sends nothing after it was stopped, for all received bytes', async () => {
    const { clock, conversation, said } = converse(one, two, two);
    conversation.goOn();
    conversation.stop();
    clock.advance(1_000);
    await nextTurn();
    conversation.goOn();
    clock.advance(1_000);
    await nextTurn();
    expect(said).to.deep.equal(['0: 1']);
  });
});
