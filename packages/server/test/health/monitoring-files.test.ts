import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { MeasuredServer } from '../fixtures/measured-server.js';

const folder = new URL('../../../../docs/how-to/monitor/', import.meta.url);
const alertsFile = fileURLToPath(new URL('prometheus-alerts.yml', folder));

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(readFileSync(new URL('grafana-dashboard.json', folder), 'utf8')) as {
  readonly panels: readonly Panel[];
};
const alerts = readFileSync(alertsFile, 'utf8')
  .split(/^ +- alert: /m)
  .slice(1);

/** Names of series in an expression, without the suffixes of histograms. */
function seriesOf(expression: string): string[] {
  return (expression.match(/\b(?:tallybook|nodejs|process)_\w+/g) ?? []).map((name) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  );
}

/** The values of `part="…"` in expressions. */
const partsOf = (text: string): string[] => [...text.matchAll(/part="(\w+)"/g)].map(([, part = '']) => part);

/** The output of promtool. Rejects with the output if there are problems. */
async function promtool(
  context: Mocha.Context,
  args: readonly string[],
  input = '',
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const run = promisify(execFile)(process.env['TALLYBOOK_TEST_PROMTOOL'] ?? 'promtool', args);
  run.child.stdin?.on('error', () => undefined).end(input);
  return run.catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return context.skip('promtool is not installed');
    throw error;
  });
}

describe('the files for Prometheus and Grafana', () => {
  let metrics = '';
  before(async () => {
    await using server = await MeasuredServer.start();
    metrics = (await server.request('/api/metrics')).text;
  });

  for (const { title, targets } of panels) {
    it(`show existing series in "${title}"`, () => {
      const series = targets.flatMap(({ expr }) => seriesOf(expr));
      expect(series).to.not.deep.equal([]);
      for (const name of series) expect(metrics, name).to.include(`# TYPE ${name} `);
    });
  }

  for (const alert of alerts) {
    const [name = ''] = alert.split('\n');
    it(`alert by existing series, with advice: ${name}`, () => {
      const [, expression = ''] = /^ +expr: (.*)$/m.exec(alert) ?? [];
      for (const series of seriesOf(expression)) expect(metrics, series).to.include(`# TYPE ${series} `);
      for (const part of partsOf(expression)) expect(part).to.be.oneOf(['store', 'disk', 'backup']);
      expect(alert)
        .to.match(/^ +summary: .{10,}$/m)
        .and.to.match(/^ +action: .{20,}$/m);
    });
  }

  it('have the number of alerts in the guide', () => {
    const guide = readFileSync(new URL('../monitor.md', folder), 'utf8');
    expect(guide).to.include(`prometheus-alerts.yml): ${alerts.length} alerts, each with its remedy.`);
  });

  it('have panels that do not overlap, each with its own id', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    const fields = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(fields).size).to.equal(fields.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).to.be.at.most(24);
  });

  it('show every series of the service, or alert by it, except constant ones', () => {
    const own = [...metrics.matchAll(/^# TYPE (tallybook_\w+) /gm)].map(([, name = '']) => name);
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => seriesOf(expr)));
    const hidden = own.filter((name) => ![...shown, ...alerts.flatMap(seriesOf)].includes(name));
    expect(hidden).to.deep.equal(['tallybook_info', 'tallybook_backlog_limit_scans']);
  });

  it('have alerts that promtool accepts', async function () {
    const { stdout } = await promtool(this, ['check', 'rules', alertsFile]);
    expect(stdout).to.match(/SUCCESS: [0-9]+ rules found/);
  });

  it('use measurements without complaints of promtool', async function () {
    const { stdout, stderr } = await promtool(this, ['check', 'metrics'], metrics);
    expect(stdout + stderr).to.equal('');
  });
});
