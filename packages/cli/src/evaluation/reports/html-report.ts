import type { Evaluation } from '../evaluation.ts'

/** An evaluation as one page. */
export function htmlReport(_evaluation: Evaluation, _version: string): string {
  return ''
}
