import type { Declarations, Outcome } from '@stickler/core'

/** The worst verdict of several answers in the words that a preset declares; undefined when it declares none. */
export function worstValidation(
  outcomes: readonly Pick<Outcome, 'validationStatus'>[],
  declared: Declarations | undefined,
): string | undefined {
  const words = declared?.validationStatus
  if (words === undefined) return undefined
  const told = outcomes.map(({ validationStatus }) => validationStatus)
  return [words.invalid, words.unchecked].find((word) => told.includes(word)) ?? words.valid
}

/** The member of a reply that tells a verdict in declared words. */
export function validationMember(status: string | undefined): { readonly validation_status?: string } {
  return status === undefined ? none : { validation_status: status }
}

/** The header that tells the same; left out when there is nothing to tell. */
export function validationHeader(status: string | undefined): Readonly<Record<string, string>> {
  return status === undefined || status === '' ? none : { 'x-stickler-validation-status': status }
}

const none = {}
