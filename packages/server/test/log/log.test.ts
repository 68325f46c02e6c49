import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import { createLog } from '../../src/log/log.js';

/** The log line of an error. */
async function lineOf(err: unknown): Promise<string> {
  const output = new PassThrough();
  createLog('info', output as unknown as NodeJS.WriteStream).error({ err }, 'failed');
  output.end();
  return text(output);
}

describe('The log', () => {
  it('prints once the part of the cause in the message of our error', async () => {
    const cause = new Error('no space left');
    const error = new TallybookError('STORE_WRITE_FAILED', `not written: ${cause.message}`, {
      cause,
      details: { path: '/s' },
    });
    const { err } = JSON.parse(await lineOf(error)) as { readonly err: Readonly<Record<string, unknown>> };
    expect(err).to.deep.include({
      type: 'TallybookError',
      message: 'not written: no space left',
      code: 'STORE_WRITE_FAILED',
      details: { path: '/s' },
    });
    expect(String(err['stack'])).to.match(/^TallybookError: not written/);
    expect(String(err['stack']).match(/no space left/g)).to.have.lengthOf(1);
  });

  it('prints the messages of the causes of another error', async () => {
    expect(await lineOf(new Error('a mistake', { cause: new Error('elsewhere') }))).to.match(
      /"message":"a mistake: elsewhere"/,
    );
  });

  it('is text for people on a terminal, and JSON lines elsewhere', async () => {
    for (const isTTY of [true, false]) {
      const output = Object.assign(new PassThrough(), { isTTY });
      const written = once(output, 'data');
      createLog('info', output as unknown as NodeJS.WriteStream).info('listening');
      const line = String(((await written) as [Buffer])[0]);
      if (isTTY)
        expect(line)
          .to.match(/INFO.*listening/)
          .and.not.match(/^\{/);
      else expect(JSON.parse(line)).to.include({ level: 30, msg: 'listening' });
    }
  });
});
