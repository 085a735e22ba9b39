import type { Run } from '../../api/run-types.ts'

const reasons: Readonly<Record<string, string>> = {
  clean: 'No errors remain.',
  unchecked: 'No error was found, but not everything could be checked.',
  lenient: 'Errors remain, and the contract delivers them (mode lenient).',
  shadow: 'Errors remain. The contract only observes (mode shadow), so nothing was changed or asked again.',
  'no-retries-left': 'The model was asked as often as the contract allows.',
  'no-progress': 'The last attempt had the same text and the same issues as the one before.',
  'budget-attempts': 'The budget allows no further attempt.',
  'budget-tokens': 'The budget has no tokens left for another attempt.',
  'budget-money': 'The budget has no money left for another attempt.',
  'already-shown': 'The text had been shown already, so the model could not be asked again.',
  'runner-failed': 'A call of the model failed.',
}

/** Why a run ended, as a sentence. */
export function reasonOf({ reason, status }: Pick<Run, 'reason' | 'status'>): string {
  if (status === 'repaired' && reason === 'clean') return 'No errors remain after the repairs.'
  return (Object.hasOwn(reasons, reason) ? reasons[reason] : undefined) ?? reason
}

/** What the text of a run is. */
export function titleOfText({
  fallback,
  delivered,
  httpStatus,
  status,
  text,
}: Pick<Run, 'fallback' | 'delivered' | 'httpStatus' | 'status' | 'text'>): string {
  if (fallback) return 'Delivered: the fallback of the contract'
  if (delivered) return 'Delivered answer'
  if (status === 'failed') return text ? 'What was shown before the failure' : 'No answer'
  if (status === 'unchecked') return 'Withheld: it could not be checked'
  return httpStatus >= 400 ? 'Rejected answer, not delivered' : 'Last answer'
}
