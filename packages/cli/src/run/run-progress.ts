import type { Issue, Outcome, TraceEvent, TraceListener } from '@stickler/core'
import type { Paint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { count } from '../terminal/text.ts'

/** Reports the events of a run as they happen, line by line. */
export function liveReport(say: (line: string) => void, paint: Paint): TraceListener {
  let most = 1
  let attempt = 1
  let printed = new Set<string>()
  return (event) => {
    if (event.type === 'run-started') most = event.maxAttempts
    if (event.type === 'checked') printed = new Set(event.issues.map(placeOf))
    if (event.type === 'attempt-started') attempt = event.attempt
    if (event.type === 'repaired' && event.attempt < attempt) say(`  going back to attempt ${event.attempt}`)
    for (const line of describeEvent(event, most, paint)) say(line)
    // What other errors had hidden.
    if (event.type === 'repaired') for (const issue of event.remaining) if (!printed.has(placeOf(issue))) say(describeIssue(issue, paint))
  }
}

function describeEvent(event: TraceEvent, most: number, paint: Paint): string[] {
  switch (event.type) {
    case 'attempt-started':
      return [paint.dim(`attempt ${event.attempt} of ${most}`)]
    case 'attempt-stopped':
      return [`  stopped after ${count(event.offset, 'character')}`]
    case 'checked':
      return [
        ...event.issues.map((issue) => describeIssue(issue, paint)),
        ...event.unchecked.map(
          ({ validator, cause, circuit, message }) =>
            `  ${paint.yellow('unchecked')} ${validator} (${cause}${circuit ? `, circuit ${circuit}` : ''}): ${printable(message)}`,
        ),
      ]
    case 'repaired':
      return event.clean
        ? event.repairs.map(
            ({ rule, class: repairClass, before, after }) =>
              `  ${paint.green('repaired')} by ${rule} (${repairClass}): ${clip(before)} → ${clip(after)}`,
          )
        : ['  no allowed repair makes it valid']
    case 'run-started':
      return (event.skipped ?? []).map((name) => `  ${paint.dim('skipped')} ${printable(name)}: its condition is not met`)
    case 'fell-back':
      return ['  delivering the fallback']
    case 'feedback-sent':
      return ['  asking again']
    case 'runner-failed':
      return [`  ${paint.red('failed')}: ${printable(event.failure.message)}`]
    case 'run-ended':
      return [lastWords(event, paint)]
    default:
      return []
  }
}

function placeOf({ code, path }: Issue): string {
  return JSON.stringify([code, path])
}

function describeIssue({ severity, code, message }: Issue, paint: Paint): string {
  return `  ${(severity === 'error' ? paint.red : paint.yellow)(severity)} ${printable(code)} ${printable(message)}`
}

function lastWords({ status, reason, attempts, usage }: Pick<Outcome, 'status' | 'reason' | 'attempts' | 'usage'>, paint: Paint): string {
  const colour = status === 'valid' || status === 'repaired' ? paint.green : status === 'unchecked' ? paint.yellow : paint.red
  const { promptTokens, completionTokens } = usage
  const tokens = promptTokens + completionTokens === 0 ? '' : `, ${promptTokens} + ${completionTokens} tokens`
  // Without an answer, the failure has already been printed.
  const why = status === 'failed' ? undefined : reasons.get(reason)
  return `${colour(status)} after ${count(attempts, 'attempt')}${tokens}${why === undefined ? '' : `: ${why}`}`
}

const reasons: ReadonlyMap<Outcome['reason'], string> = new Map([
  ['no-retries-left', 'no retries are left'],
  ['no-progress', 'the model gave the same answer again'],
  ['budget-attempts', 'the budget allows no further attempt'],
  ['budget-tokens', 'the budget allows no further tokens'],
  ['budget-money', 'the budget allows no further cost'],
  ['already-shown', 'the text was already shown'],
  ['runner-failed', 'the call for a better answer failed'],
])

function clip(text: string): string {
  return text === '' ? 'nothing' : `"${printable(text.length > 60 ? `${text.slice(0, 60)}…` : text)}"`
}
