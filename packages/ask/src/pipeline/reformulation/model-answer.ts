import { Answer } from '@stickler/core'

/** A model's answer without its reasoning. */
export function bodyOf(answer: string): string {
  if (typeof answer !== 'string') return ''
  return answer.slice(new Answer(answer).bodyStart).trim()
}
