import { expect } from 'chai';
import { ProgressLine } from '../../src/command-line/terminal-output.js';

describe('ProgressLine', () => {
  let nowMs = 0;
  let written: string[];
  const terminal = (isTTY = true): NodeJS.WriteStream =>
    ({ isTTY, columns: 20, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;

  beforeEach(() => {
    written = [];
    nowMs = 5;
    Object.defineProperty(performance, 'now', { value: () => nowMs, configurable: true });
  });
  afterEach(() => Reflect.deleteProperty(performance, 'now'));

  /** Counts lines that take this many milliseconds each, and returns the shown ones. */
  async function count(progress: ProgressLine, lineCount: number, lineMs: number): Promise<number> {
    async function* lines(): AsyncGenerator<string> {
      for (let n = 0; n < lineCount; n++) {
        nowMs += lineMs;
        yield await Promise.resolve('');
      }
    }
    const passed: string[] = [];
    for await (const line of progress.count(lines(), (at) => `line ${at}`)) passed.push(line);
    return passed.length;
  }

  it('shows the first line, and then every 256th', async () => {
    expect(await count(new ProgressLine(terminal()), 600, 1)).to.equal(600);
    expect(written).to.deep.equal(['\r\u001B[Kline 1', '\r\u001B[Kline 257', '\r\u001B[Kline 513']);
  });

  it('shows at most ten lines a second', async () => {
    await count(new ProgressLine(terminal()), 2 * 256 * 10, 1 / 256);
    // All lines together took 20 ms.
    expect(written).to.have.length(1);
  });

  it('is cut to one line of the terminal', async () => {
    await new ProgressLine(terminal()).during('reading all of level:/media/card', Promise.resolve());
    expect(written[0]).to.equal('\r\u001B[Kreading all of leve');
  });

  it('shows the seconds of running work, and clears that at its end', async () => {
    await new ProgressLine(terminal()).during('reading', Promise.resolve());
    expect(written).to.deep.equal(['\r\u001B[Kreading (0 s)', '\r\u001B[K']);
  });

  it('clears only its own text, and only once', async () => {
    const progress = new ProgressLine(terminal());
    progress.end();
    expect(written).to.deep.equal([]);
    await count(progress, 1, 0);
    progress.end();
    progress.end();
    expect(written).to.deep.equal(['\r\u001B[Kline 1', '\r\u001B[K']);
  });

  it('shows nothing without a terminal', async () => {
    const progress = new ProgressLine(terminal(false));
    expect(await count(progress, 600, 1)).to.equal(600);
    await progress.during('reading', Promise.resolve());
    expect(written).to.deep.equal([]);
  });
});
