import type { Issue, Usage } from '@stickler/core'
import type { AttemptRecord } from '../../run/run-record.ts'
import { given, longText, name, real, sentence, whole } from './values.ts'

/** Writes the attempts of a run as JSON, every value in its bounds; throws when they are none. */
export function writeAttempts(attempts: readonly AttemptRecord[]): string {
  let list = ''
  for (const attempt of attempts) list += list === '' ? writeAttempt(attempt) : `,${writeAttempt(attempt)}`
  return storable(`[${list}]`)
}

function writeAttempt(attempt: AttemptRecord): string {
  const { finishReason, usage, issues, stoppedAt, decision, failure, resumption, stderr, text, feedback } = attempt
  const start = `{"number":${whole(attempt.number)},"call":${json(name(attempt.call))},"ms":${real(attempt.ms)}`
  const told = `${member('finishReason', given(finishReason, name))}${usage ? `,"usage":${writeUsage(usage)}` : ''}`
  const found = `,"issues":${issues.length === 0 ? '[]' : json(issues.map(boundIssue))}`
  const ended = `${member('stoppedAt', given(stoppedAt, whole))}${member('decision', given(decision, name))}${member('failure', given(failure, name))}`
  const process = `${member('resumption', given(resumption, name))}${member('stderr', given(stderr, longText))}`
  return `${start}${told}${found}${ended}${process}${member('text', given(text, longText))}${member('feedback', given(feedback, longText))}}`
}

function writeUsage({ promptTokens, completionTokens, cost, estimated }: Usage): string {
  const counts = `"promptTokens":${whole(promptTokens)},"completionTokens":${whole(completionTokens)}${member('cost', given(cost, real))}`
  return `{${counts}${estimated ? member('estimated', true) : ''}}`
}

function boundIssue(issue: Issue): Issue {
  return {
    ...issue,
    code: name(issue.code),
    severity: name(issue.severity) as Issue['severity'],
    validator: name(issue.validator),
    message: sentence(issue.message),
  }
}

/** Writes as U+FFFD what a column of text could not hold as it is: NUL and halves of characters. */
function storable(json: string): string {
  if (!json.includes('\\u')) return json
  return json.replace(/\\(?:u(0000|d[89a-f]..)|.)/g, (escaped, lost?: string) => (lost === undefined ? escaped : '\ufffd'))
}

const longestQuick = 80

/** Writes a value as JSON, as `JSON.stringify` does and several times faster for names and numbers; null for what JSON does not have. */
export function json(value: unknown): string {
  if (typeof value === 'string') return isPlain(value) ? `"${value}"` : JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (Array.isArray(value) && value.length === 0) return '[]'
  return JSON.stringify(value) ?? 'null'
}

/** Writes a member of an object that stands behind another; nothing when there is none. */
export function member(name: string, value: unknown): string {
  return value === undefined || value === null ? '' : `,"${name}":${json(value)}`
}

/** Whether nothing in a short text needs an escape: no control character, quote, backslash or half of a character. */
function isPlain(text: string): boolean {
  if (text.length > longestQuick) return false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false
  }
  return true
}
