import type { Certificate, Issue } from '@stickler/core'
import type { AttemptRecord, KeptRun } from '@stickler/gateway/internal'
import type { Paint } from '../terminal/paint.ts'
import { printableLines } from '../terminal/printable.ts'
import { clip, count, table } from '../terminal/text.ts'
import { cell, moment, money } from './describe-runs.ts'

const longestText = 4000

/** One run with all recorded details. */
export function describeRun(run: KeptRun, paint: Paint): string {
  const { usage, failure } = run
  const facts: readonly (readonly [string, string])[] = [
    ['at', `${moment(run.at)}, ${Math.round(run.ms)} ms`],
    ['contract', cell(run.contract)],
    ['model', `${cell(run.model)}, answered by ${cell(run.upstream)} (${cell(run.upstreamModel)})`],
    ['key', cell(run.key)],
    ['request', `${clip(run.requestId, 80)}, ${clip(run.api, 20)}${run.stream ? ', streamed' : ''}, HTTP ${run.httpStatus}`],
    ...(run.session === undefined ? [] : [['session', clip(run.session, 80)] as const]),
    ['tokens', `${usage.promptTokens} + ${usage.completionTokens}${usage.cost === undefined ? '' : `, ${money(usage.cost)} USD`}`],
    ...(failure === undefined ? [] : [['failure', `${clip(failure.kind, 80)} ${clip(failure.message, 300)}`] as const]),
  ]
  const lines = [
    `${paint.bold(clip(run.id, 80))}  ${clip(run.status, 40)} (${clip(run.reason, 80)})`,
    ...table(facts, '  '),
    ...run.attempts.flatMap((attempt) => [
      `  ${paint.bold(`attempt ${attempt.number}`)}  ${clip(attempt.decision ?? attempt.failure ?? 'ended', 40)}, ${Math.round(attempt.ms)} ms`,
      ...attempt.issues.map((issue) => `    ${issueLine(issue)}`),
      ...textLines('answer', attempt.text),
      ...callLines('tool calls', attempt.toolCalls),
      ...textLines('feedback', attempt.feedback),
    ]),
    ...section('issues that remain', run.issues.map(issueLine)),
    ...section('issues that were repaired', run.fixed.map(issueLine)),
    ...section('repairs', run.repairs.map(repairLine)),
    ...section(
      'not checked',
      run.unchecked.map(({ validator, cause, message }) => `${clip(validator, 80)}: ${clip(cause, 40)} ${clip(message, 300)}`),
    ),
    ...textLines('text', run.text),
    ...callLines('tool calls of the answer', run.toolCalls),
    ...(run.text === undefined ? [`  ${paint.dim('texts are not kept; store.keepText keeps them')}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)]
}

function issueLine({ severity, code, message, validator }: Issue): string {
  return `${clip(severity, 20)} ${clip(code, 80)} ${clip(message, 300)} [${clip(validator, 80)}]`
}

function repairLine({ rule, class: kind, before, after }: Certificate): string {
  const shown = (part: unknown): string => clip(JSON.stringify(part) ?? '', 120)
  const what = `${clip(rule, 80)} (${clip(kind, 20)})`
  // Without recorded texts, both are empty.
  return before || after ? `${what}: ${shown(before)} → ${shown(after)}` : what
}

function callLines(title: string, calls: AttemptRecord['toolCalls'] = []): string[] {
  const more = calls.at(-1)?.more
  const lines = calls.flatMap(({ name, arguments: given, cut }) => [
    `      ${clip(name, 80)} ${clip(given, longestText)}${cut === undefined ? '' : ` (first of ${count(cut, 'character')})`}`,
  ])
  return calls.length === 0
    ? []
    : [`    ${title}:`, ...lines, ...(more === undefined ? [] : [`      ${count(more, 'more call')}, not kept`])]
}

function textLines(title: string, text: string | undefined): string[] {
  if (text === undefined) return []
  const cut = text.length > longestText ? `${text.slice(0, longestText)}… (${count(text.length, 'character')})` : text
  return [
    `    ${title}:`,
    ...printableLines(cut)
      .split('\n')
      .map((line) => `      ${line}`),
  ]
}
