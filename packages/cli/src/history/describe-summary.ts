import type { Summary, Totals } from '@stickler/gateway/internal'
import type { Paint } from '../terminal/paint.ts'
import { clip, count, table } from '../terminal/text.ts'
import { cell, moment, money } from './describe-runs.ts'

/** What happened, what failed and why, and what it cost, as tables. */
export function describeSummary(summary: Summary, paint: Paint): string {
  const { since, until, runs, retries, repairs, promptTokens, completionTokens, cost } = summary
  const lines = [
    paint.bold(`${moment(since)} to ${moment(until)}`),
    `  ${[count(runs, 'run'), ...statusesOf(summary)].join(', ')}`,
    `  ${retriesOf(retries)}, ${count(repairs, 'repair')}, ${promptTokens} + ${completionTokens} tokens, ${money(cost)} USD`,
    ...section(
      paint,
      'By contract',
      totalsHead('contract'),
      summary.contracts.map((group) => totalsRow(group.contract, group)),
    ),
    ...section(
      paint,
      'By key',
      totalsHead('key'),
      summary.keys.map((group) => totalsRow(group.key, group)),
    ),
    ...section(
      paint,
      'What failed',
      ['status', 'why', 'runs'],
      summary.failures.map(({ status, reason, failure, runs }) => [
        clip(status, 40),
        clip(failure === undefined ? reason : `${reason}: ${failure}`, 60),
        String(runs),
      ]),
    ),
    ...section(
      paint,
      'Most frequent errors',
      ['validator', 'code', 'runs'],
      summary.codes.map(({ validator, code, runs }) => [cell(validator), cell(code), String(runs)]),
    ),
    ...section(
      paint,
      'Cost of retries by validator',
      ['validator', 'runs', 'retries', 'tokens', 'usd'],
      summary.validators.map(({ validator, runs, retries, tokens, cost }) => [
        cell(validator),
        String(runs),
        String(retries),
        String(Math.round(tokens)),
        money(cost),
      ]),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function section(paint: Paint, title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', paint.bold(title), ...table([head, ...rows], '  ')]
}

function totalsHead(group: string): readonly string[] {
  return [group, 'runs', 'retries', 'repairs', 'tokens', 'usd', 'statuses']
}

function totalsRow(group: string, totals: Totals): readonly string[] {
  const { runs, retries, repairs, promptTokens, completionTokens, cost } = totals
  return [
    cell(group),
    String(runs),
    String(retries),
    String(repairs),
    String(promptTokens + completionTokens),
    money(cost),
    statusesOf(totals).join(', '),
  ]
}

function statusesOf({ statuses }: Totals): string[] {
  return Object.entries(statuses)
    .sort(([, a], [, b]) => b - a)
    .map(([status, runs]) => `${runs} ${clip(status, 40)}`)
}

function retriesOf(number: number): string {
  return number === 1 ? '1 retry' : `${number} retries`
}
