import type { Declarations } from '../../contract/configuration/declarations.ts'
import type { Outcome } from '../../engine/outcome.ts'

/** The worst verdict of several answers, as the preset names it; undefined when it names none. */
export function worstValidation(
  outcomes: readonly Pick<Outcome, 'validationStatus'>[],
  declared: Declarations | undefined,
): string | undefined {
  const words = declared?.validationStatus
  if (words === undefined) return undefined
  const told = outcomes.map(({ validationStatus }) => validationStatus)
  return [words.invalid, words.unchecked].find((word) => told.includes(word)) ?? words.valid
}

/** The header for the same; omitted when there is none. */
export function validationHeader(status: string | undefined): Readonly<Record<string, string>> {
  return status === undefined || status === '' ? none : { 'x-stickler-validation-status': status }
}

const none = {}
