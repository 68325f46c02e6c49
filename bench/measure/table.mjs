/**
 * A line of the table.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {number} ours
 * @property {string} unit
 * @property {number} [theirs] What it is compared with, in the same unit.
 * @property {string} [peer]
 * @property {number} [least] The budget: the ratio, or the value if there is no peer, is at least this.
 * @property {number} [most] Or at most this.
 * @property {boolean} [isLessBetter] As with times: the ratio is theirs to ours then.
 */

/** The rows as a Markdown table. */
export function formatTable(rows) {
  const lines = rows.map(formatRow);
  const head = ['what', 'Tallybook', 'compared with', 'ratio', 'budget', 'verdict'];
  const widths = head.map((title, column) =>
    Math.max(...[title, ...lines.map((line) => line[column])].map(length)),
  );
  const format = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [format(head), format(widths.map((width) => '-'.repeat(width))), ...lines.map(format)].join('\n');
}

export function isMissed(row) {
  const { least = -Infinity, most = Infinity } = row;
  const figure = figureOf(row);
  return !(figure >= least && figure <= most);
}

const length = (text) => text.length;

function figureOf({ ours, theirs, isLessBetter = false }) {
  if (theirs === undefined) return ours;
  return isLessBetter ? theirs / ours : ours / theirs;
}

function formatRow(row) {
  const { what, ours, theirs, peer, unit, least, most } = row;
  const hasBudget = least !== undefined || most !== undefined;
  return [
    what,
    `${formatNumber(ours)} ${unit}`,
    theirs === undefined ? '' : `${formatNumber(theirs)} ${unit}, ${peer}`,
    theirs === undefined ? '' : `${formatNumber(figureOf(row))} x`,
    hasBudget
      ? least === undefined
        ? `at most ${formatNumber(most)}`
        : `at least ${formatNumber(least)}`
      : '',
    hasBudget ? (isMissed(row) ? 'MISSED' : 'kept') : '',
  ];
}

function formatNumber(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
