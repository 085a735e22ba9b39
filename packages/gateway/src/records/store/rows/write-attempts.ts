import type { Issue, Usage } from '@stickler/core'
import type { AttemptRecord } from '../../run/run-record.ts'
import { isGiven, longText, name, real, sentence, whole } from './values.ts'

/** Writes the attempts of a run as JSON, every value in its bounds; throws when they are none. */
export function writeAttempts(attempts: readonly AttemptRecord[]): string {
  let list = ''
  for (const attempt of attempts) list += list === '' ? writeAttempt(attempt) : `,${writeAttempt(attempt)}`
  return `[${list}]`
}

function writeAttempt(attempt: AttemptRecord): string {
  const { usage, issues } = attempt
  let all = `{"number":${whole(attempt.number)},"call":${column(name(attempt.call))},"ms":${real(attempt.ms)}`
  if (isGiven(attempt.finishReason)) all += `,"finishReason":${column(name(attempt.finishReason))}`
  if (usage) all += `,"usage":${writeUsage(usage)}`
  all += issues.length === 0 ? ',"issues":[]' : `,"issues":${column(issues.map(boundIssue))}`
  if (isGiven(attempt.stoppedAt)) all += `,"stoppedAt":${whole(attempt.stoppedAt)}`
  if (isGiven(attempt.decision)) all += `,"decision":${column(name(attempt.decision))}`
  if (isGiven(attempt.failure)) all += `,"failure":${column(name(attempt.failure))}`
  if (isGiven(attempt.resumption)) all += `,"resumption":${column(name(attempt.resumption))}`
  if (isGiven(attempt.stderr)) all += `,"stderr":${column(longText(attempt.stderr))}`
  if (isGiven(attempt.text)) all += `,"text":${column(longText(attempt.text))}`
  if (isGiven(attempt.feedback)) all += `,"feedback":${column(longText(attempt.feedback))}`
  return `${all}}`
}

function writeUsage({ promptTokens, completionTokens, cost, estimated }: Usage): string {
  const counts = `{"promptTokens":${whole(promptTokens)},"completionTokens":${whole(completionTokens)}`
  if (!isGiven(cost) && !estimated) return `${counts}}`
  return `${counts}${isGiven(cost) ? `,"cost":${real(cost)}` : ''}${estimated ? ',"estimated":true' : ''}}`
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

/** Writes a value as JSON, with U+FFFD for what a column of text could not hold as it is: NUL and halves of characters. */
function column(value: unknown): string {
  if (typeof value === 'string' && isPlain(value)) return `"${value}"`
  const text = json(value)
  if (!text.includes('\\u')) return text
  return text.replace(/\\(?:u(0000|d[89a-f]..)|.)/g, (escaped, lost?: string) => (lost === undefined ? escaped : '\ufffd'))
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
  return isGiven(value) ? `,"${name}":${json(value)}` : ''
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
