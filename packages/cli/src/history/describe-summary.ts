import type { Summary, Totals } from '@stickler/gateway/internal'
import type { Paint } from '../terminal/paint.ts'
import { describeSections, type Section } from '../terminal/sections.ts'
import { clip, count } from '../terminal/text.ts'
import { cell, moment, money } from './describe-runs.ts'

/** What happened, what failed and why, and what it cost, as tables. */
export function describeSummary(summary: Summary, paint: Paint): string {
  const { since, until, runs, retries, repairs, promptTokens, completionTokens, cost } = summary
  const tables: readonly Section[] = [
    { title: 'By contract', head: totalsHead('contract'), rows: summary.contracts.map((group) => totalsRow(group.contract, group)) },
    { title: 'By key', head: totalsHead('key'), rows: summary.keys.map((group) => totalsRow(group.key, group)) },
    {
      title: 'What failed',
      head: ['status', 'why', 'runs'],
      rows: summary.failures.map(({ status, reason, failure, runs }) => [
        clip(status, 40),
        clip(failure === undefined ? reason : `${reason}: ${failure}`, 60),
        String(runs),
      ]),
    },
    {
      title: 'Most frequent errors',
      head: ['validator', 'code', 'runs'],
      rows: summary.codes.map(({ validator, code, runs }) => [cell(validator), cell(code), String(runs)]),
    },
    {
      title: 'Cost of retries by validator',
      head: ['validator', 'runs', 'retries', 'tokens', 'usd'],
      rows: summary.validators.map(({ validator, runs, retries, tokens, cost }) => [
        cell(validator),
        String(runs),
        String(retries),
        String(Math.round(tokens)),
        money(cost),
      ]),
    },
  ]
  const overview = {
    title: `${moment(since)} to ${moment(until)}`,
    lines: [
      [count(runs, 'run'), ...statusesOf(summary)].join(', '),
      `${retriesOf(retries)}, ${count(repairs, 'repair')}, ${promptTokens} + ${completionTokens} tokens, ${money(cost)} USD`,
    ],
  }
  return describeSections([overview, ...tables.filter(({ rows = [] }) => rows.length > 0)], paint)
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
