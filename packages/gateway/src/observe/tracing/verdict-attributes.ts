import type { Attributes } from '@opentelemetry/api'
import type { Issue, Unchecked } from '@stickler/core'
import { issueWithoutWords, uncheckedWithoutWords } from '../../records/run/without-words.ts'
import { short } from './short.ts'

const mostCodes = 16
const longestExplanation = 500

/** A validator's verdict on one answer. */
export interface ValidatorVerdict {
  readonly validator: string
  /** Its errors; absent when there are none. */
  readonly issues?: readonly Issue[] | undefined
  /** Set when it could not run. */
  readonly unchecked?: Unchecked | undefined
}

/** The attributes of a `gen_ai.evaluation.result` event; messages may quote the answer, so the explanation is the sentence of each code. */
export function verdictAttributes({ validator, issues, unchecked }: ValidatorVerdict): Attributes {
  const known = { 'gen_ai.evaluation.name': short(validator) }
  if (unchecked !== undefined) {
    const { cause, reason, circuit } = unchecked
    return {
      ...known,
      'gen_ai.evaluation.score.label': 'unchecked',
      ...explanation([uncheckedWithoutWords(unchecked).message]),
      'error.type': cause,
      ...(reason === undefined ? {} : { 'stickler.unchecked.reason': reason }),
      ...(circuit === undefined ? {} : { 'stickler.unchecked.circuit': circuit }),
    }
  }
  if (issues === undefined) return { ...known, 'gen_ai.evaluation.score.label': 'pass', 'gen_ai.evaluation.score.value': 1 }
  return {
    ...known,
    'gen_ai.evaluation.score.label': 'fail',
    'gen_ai.evaluation.score.value': 0,
    ...explanation(issues.map((issue) => issueWithoutWords(issue, () => false).message)),
    'stickler.codes': [...new Set(issues.map(({ code }) => short(code)))].slice(0, mostCodes),
  }
}

function explanation(messages: readonly string[]): Attributes {
  const text = [...new Set(messages)].slice(0, mostCodes).join(' ').trim()
  if (text === '') return {}
  return { 'gen_ai.evaluation.explanation': text.length > longestExplanation ? `${text.slice(0, longestExplanation - 1)}…` : text }
}
