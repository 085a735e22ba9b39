import type { MaybePromise } from '@stickler/core/internal'
import { wholeReply as relayWhole } from '@stickler/core/internal/relay'
import { sendJsonText } from '../front/replies/json-response.ts'
import type { ModelRequest } from '../requests/model-request.ts'

/** Sends a whole reply, when every choice meets the contract. */
export function wholeReply(request: ModelRequest): MaybePromise<void> {
  return relayWhole(request, (body, headers) => sendJsonText(request.caller, 200, body, headers))
}
