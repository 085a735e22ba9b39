import { settledStatuses } from '@stickler/core/internal'
import type { Section } from '../../terminal/sections.ts'
import { count } from '../../terminal/text.ts'
import type { Absent, Comparison } from '../comparison.ts'
import { newFailures } from '../comparison.ts'
import type { Evaluation } from '../evaluation.ts'
import type { GateResult } from '../gates.ts'
import type { LabelReport } from '../labels.ts'
import { fewestPairs, type Interval } from '../statistics.ts'
import type { Spent } from '../summary.ts'

/** Longer tables are cut, with a last line that says so. */
const mostRows = 50

/** What an evaluation says, in the order in which it is read: what was evaluated, what changed, what is wrong, what it costs, and whether it passes. */
export function sectionsOf(evaluation: Evaluation): readonly Section[] {
  const { flips, comparison, labels, gates, notes } = evaluation
  return [
    overview(evaluation),
    ...(flips && comparison ? differences(evaluation, { ...comparison, flips }) : []),
    ...rules(evaluation),
    ...enforcement(evaluation),
    ...(labels ? labelled(labels) : []),
    ...(notes.length > 0 ? [{ title: 'Note', lines: notes }] : []),
    ...(gates.length > 0 ? [{ title: 'Gates', lines: gates.map(describeGate) }] : []),
  ]
}

function overview({ name, contract, answers, statuses, intervals, recordings, models, reference }: Evaluation): Section {
  const { unusable, faults, examples, format } = recordings
  const without = Object.entries(unusable).map(([reason, number]) => `${number} ${reason}`)
  const shown = settledStatuses.map((status) => [
    status,
    String(statuses[status]),
    percent(statuses[status], answers),
    ...(reference ? [String(reference.statuses[status]), percent(reference.statuses[status], reference.answers)] : []),
  ])
  const several = models.length > 1 ? models : []
  return {
    title: `${name}: ${count(answers, 'answer')} under ${contract}`,
    lines: [
      `${count(recordings.records, 'record')} (${format})${without.length > 0 ? `, without an answer: ${without.join(', ')}` : ''}`,
      ...(faults > 0 ? [`${count(faults, 'answer')} could not be read:`] : []),
      ...examples.slice(0, 3).map(({ file, line, message }) => `  ${file}:${line}: ${message}`),
      ...(intervals.passed ? [`keeps the contract: ${describeInterval(intervals.passed)}`] : []),
      ...several.map(({ model, answers: all, statuses: own }) => {
        const other = reference?.models.find((one) => one.model === model)
        const before = other === undefined ? '' : `, before ${percent(other.statuses.valid + other.statuses.repaired, other.answers)}`
        return `  ${model === '' ? 'unknown model' : model}: ${percent(own.valid + own.repaired, all)} of ${all}${before}`
      }),
    ],
    head: ['status', 'answers', 'share', ...(reference ? ['before', 'share'] : [])],
    rows: shown,
  }
}

function differences(evaluation: Evaluation, comparison: Omit<Comparison, 'before'>): Section[] {
  const { against = '', intervals } = evaluation
  const { flips, matrix, changed, otherRules, pairs, missing, added } = comparison
  const answersWithout = (what: string, absent: Absent, failing: string): string[] =>
    absent.answers === 0
      ? []
      : [`${count(absent.answers, 'answer')} ${what}, ${absent.failures} of them ${failing}: ${listed(absent.examples, absent.answers)}`]
  return [
    {
      title: `Compared with ${against}: ${changed} of ${pairs} answers changed`,
      lines: [
        ...answersWithout('missing that the baseline has', missing, 'passed'),
        ...answersWithout('that the baseline does not have', added, 'failing'),
        ...(otherRules > 0 ? [`${count(otherRules, 'answer')} kept the status, but break other rules`] : []),
      ],
      ...(flips.length > 0 && {
        head: ['before', 'after', 'answers', 'rule', 'examples'],
        rows: cut(flips.map(({ from, to, rule, answers, examples }) => [from, to, String(answers), rule, listed(examples, answers)])),
      }),
    },
    {
      title: 'Before (down) and after',
      head: ['', ...settledStatuses],
      rows: settledStatuses.map((from) => [from, ...settledStatuses.map((to) => String(matrix[from][to]))]),
    },
    {
      title: 'Would this hold for other answers?',
      lines: [
        ...(intervals.before ? [`before: ${describeInterval(intervals.before)}`] : []),
        ...(intervals.passed ? [`after:  ${describeInterval(intervals.passed)}`] : []),
        describeDifference(comparison),
      ],
    },
  ]
}

/** The sentence on pairs of which only one passes. */
function describeDifference({ better, worse, p }: Pick<Comparison, 'better' | 'worse' | 'p'>): string {
  const split = `${better} pass only after, ${worse} only before`
  if (better + worse === 0) return 'no answer passes on one side only'
  if (p === undefined) return `${split}: too few to say (fewer than ${fewestPairs})`
  const verdict = p < 0.05 ? `${better > worse ? 'better' : 'worse'} beyond chance` : 'could be chance'
  return `${split}: ${verdict} (exact McNemar, p = ${p < 0.001 ? '< 0.001' : p.toFixed(3)})`.replace('p = <', 'p <')
}

function rules({ rules: all, repairs, unchecked }: Evaluation): Section[] {
  return [
    ...(all.length > 0
      ? [
          {
            title: 'Rules',
            head: ['rule', 'broken', 'repaired', 'warns'],
            rows: cut(all.map(({ rule, answers, fixed, warnings }) => [rule, String(answers), String(fixed), String(warnings)])),
          },
        ]
      : []),
    ...counted('Repairs', ['class', 'repair', 'answers'], repairs),
    ...counted('Unchecked', ['validator', 'cause', 'answers'], unchecked),
  ]
}

function counted(title: string, head: readonly string[], counts: Readonly<Record<string, number>>): Section[] {
  const rows = Object.entries(counts).map(([name, number]) => {
    const at = name.indexOf(' ')
    return [name.slice(0, Math.max(0, at)), name.slice(at + 1), String(number)]
  })
  return rows.length > 0 ? [{ title, head, rows: cut(rows) }] : []
}

function enforcement({ spent, retries, actions, answers, reference, isGenerated }: Evaluation): Section[] {
  const [verb, each] = isGenerated ? ['were', ' for all retries'] : ['would be', ' for one retry each']
  const asked = (one: Spent, of: number): string =>
    `${one.answers} of ${of} answers ${verb} asked for again${one.measured > 0 ? `: ${describeSpent(one)}${each}` : ''}`
  return [
    {
      title: 'Enforcement',
      lines: [
        describeActions(actions),
        asked(retries, answers),
        ...(reference ? [`before: ${asked(reference.retries, reference.answers)}`] : []),
        ...(spent.measured > 0 ? [`the answers themselves used ${describeSpent(spent)}`] : []),
      ],
    },
  ]
}

/** What the enforcement loop would do with the answers as first attempts. */
function describeActions(actions: Evaluation['actions']): string {
  const of = (action: string): number => actions[action] ?? 0
  return `${of('deliver')} delivered, repaired ones included; ${of('retry')} asked for again; ${of('give-up')} blocked at once`
}

function describeSpent({ answers, measured, priced, usage }: Spent): string {
  const money = usage.cost === undefined ? '' : `, $${usage.cost.toFixed(usage.cost < 1 ? 4 : 2)}`
  const unknown = [
    ...(measured < answers ? [`tokens of ${answers - measured} unknown`] : []),
    ...(priced < measured ? [`price of ${measured - priced} unknown`] : []),
  ]
  return `${usage.promptTokens} + ${usage.completionTokens} tokens${money}${unknown.length > 0 ? ` (${unknown.join(', ')})` : ''}`
}

function labelled({ good, bad, unchecked, caught, wronglyBlocked, precision, recall, rules: all, examples }: LabelReport): Section[] {
  return [
    {
      title: `Labels: ${good} good, ${bad} bad${unchecked > 0 ? `, ${unchecked} unchecked` : ''}`,
      lines: [
        `${caught} of ${count(bad, 'bad answer')} rejected (recall ${shareOf(recall)}), precision ${shareOf(precision)}`,
        ...(wronglyBlocked > 0
          ? [`${count(wronglyBlocked, 'good answer')} wrongly blocked: ${listed(examples.slice(0, 3), wronglyBlocked)}`]
          : []),
      ],
      ...(all.length > 0 && {
        head: ['rule', 'bad', 'good', 'precision', 'recall'],
        rows: cut(
          all.map((one) => [one.rule, String(one.caught), String(one.wronglyBlocked), shareOf(one.precision), shareOf(one.recall)]),
        ),
      }),
    },
  ]
}

/** A gate, and whether it is passed. */
export function describeGate({ gate, limit, observed, passed }: GateResult): string {
  const seen = observed === undefined ? 'no answers' : gate === 'min-valid' ? observed.toFixed(4) : String(observed)
  return `${passed ? 'passed' : 'FAILED'} --${gate} ${limit}: ${seen}`
}

/** The line that tells how an evaluation ended. */
export function describeEnding({ answers, gates, comparison, contract, intervals }: Evaluation): string {
  const failed = gates.filter(({ passed }) => !passed)
  const share = intervals.passed === undefined ? '' : `, ${(intervals.passed.share * 100).toFixed(1)} % keep ${contract}`
  const changed = comparison === undefined ? '' : `, ${count(newFailures(comparison), 'new failure')}`
  return `${count(answers, 'answer')}${share}${changed}${failed.length > 0 ? `; failed: ${failed.map(({ gate }) => gate).join(', ')}` : ''}`
}

function describeInterval({ share, low, high }: Interval): string {
  // A narrow interval must not look like certainty.
  const shown = (value: number): string => (value * 100).toFixed(high - low < 0.002 ? 2 : 1)
  return `${shown(share)} % (95 % interval: ${shown(low)} to ${shown(high)} %)`
}

function percent(part: number, of: number): string {
  return of === 0 ? '' : `${((part / of) * 100).toFixed(1)} %`
}

function shareOf(share: number | undefined): string {
  return share === undefined ? 'unknown' : share.toFixed(3)
}

function listed(examples: readonly string[], of: number): string {
  return `${examples.join(', ')}${examples.length < of ? ', …' : ''}`
}

function cut(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (rows.length <= mostRows) return rows
  return [...rows.slice(0, mostRows), [`… and ${rows.length - mostRows} more`]]
}
