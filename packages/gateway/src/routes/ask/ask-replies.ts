import type { AskRefused, AskReply } from '@stickler/ask'
import { nodesOf, type QuestionParts, unavailableReply } from '@stickler/ask/internal'
import type { NodeTrace } from '@stickler/ask/pipeline'
import { goingDown } from '../../front/replies/overload-errors.ts'
import { StoreUnavailable, unavailableSentence } from '../../records/store/store-unavailable.ts'
import { type AskTarget, namesOf } from './ask-targets.ts'

/** The reply when the gateway shuts down before the answer is complete. */
export const cutOffReply: AskRefused = {
  ok: false,
  status: goingDown.status,
  error: goingDown.message,
  failure: { kind: 'aborted', message: goingDown.message },
}

/** Whether a reply is lost because the gateway shuts down. */
export function isLost(reply: AskReply): boolean {
  return !reply.ok && reply.failure === cutOffReply.failure
}

/** A refusal at a target that was chosen. */
export function hereAt(reply: AskRefused, target: AskTarget, parts: QuestionParts, nodes?: readonly NodeTrace[]): AskRefused {
  return { ...reply, ...namesOf(target), ...nodesOf(parts, nodes) }
}

/** The reply when a store fails. */
export function storeReply(error: unknown, otherwise: string): AskRefused {
  return unavailableReply(error instanceof StoreUnavailable ? unavailableSentence(error) : otherwise)
}

/** The reply when the daily cap cannot be read or settled. */
export function spendingReply({ error }: { readonly error: unknown }): AskRefused {
  return storeReply(error, 'the spending could not be read or saved')
}
