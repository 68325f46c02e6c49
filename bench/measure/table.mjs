import { median, quantile } from './rounds.mjs';

/**
 * A line of the table.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {number | number[]} ours A list has the values of all rounds: the table shows their median.
 * @property {string} unit
 * @property {number | number[]} [theirs] The value of the peer, in the same unit. Two lists are compared round by round, because the
 *   speed of the machine differs between rounds: the table shows the median of the ratios, and their middle half.
 * @property {string} [peer]
 * @property {number} [least] The budget: lowest ratio, or lowest value if there is no peer.
 * @property {number} [most] The budget: highest ratio or value.
 * @property {boolean} [isLessBetter] True for times, for example: then the ratio is theirs to ours.
 */

/** The row that compares Tallybook with a peer, whose values have its name. */
export function compare(what, values, peer, { title = peer, unit = '/s', ...budget } = {}) {
  return { what, ours: values.tallybook, theirs: values[peer], peer: title, unit, ...budget };
}

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
  const figure = median(figuresOf(row));
  return !(figure >= least && figure <= most);
}

const length = (text) => text.length;

/** The values that are compared with the budget: one, or one for each round. */
function figuresOf({ ours, theirs, isLessBetter = false }) {
  if (theirs === undefined) return [ours].flat();
  const ratio = (our, their) => (isLessBetter ? their / our : our / their);
  if (!Array.isArray(ours)) return [ratio(ours, theirs)];
  return ours.map((our, round) => ratio(our, theirs[round]));
}

function formatRow(row) {
  const { what, ours, theirs, peer, unit, least, most } = row;
  const hasBudget = least !== undefined || most !== undefined;
  return [
    what,
    formatValue(ours, unit),
    theirs === undefined ? '' : `${formatValue(theirs, unit)}, ${peer}`,
    theirs === undefined ? '' : formatRatio(figuresOf(row)),
    hasBudget
      ? least === undefined
        ? `at most ${formatNumber(most)}`
        : `at least ${formatNumber(least)}`
      : '',
    hasBudget ? (isMissed(row) ? 'MISSED' : 'kept') : '',
  ];
}

function formatValue(values, unit) {
  return `${formatNumber(median([values].flat()))} ${unit}`;
}

function formatRatio(ratios) {
  const ratio = `${formatNumber(median(ratios))} x`;
  if (ratios.length === 1) return ratio;
  return `${ratio} (${formatNumber(quantile(ratios, 1 / 4))} to ${formatNumber(quantile(ratios, 3 / 4))})`;
}

function formatNumber(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
