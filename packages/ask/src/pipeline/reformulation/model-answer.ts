import { Answer } from '@stickler/core'

/** What a model answered, behind its reasoning. */
export function bodyOf(answer: string): string {
  if (typeof answer !== 'string') return ''
  return answer.slice(new Answer(answer).bodyStart).trim()
}
