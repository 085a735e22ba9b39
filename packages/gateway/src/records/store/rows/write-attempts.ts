import type { Issue, Usage } from '@stickler/core'
import type { AttemptRecord } from '../../run/run-record.ts'
import { json, member } from './json.ts'
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
