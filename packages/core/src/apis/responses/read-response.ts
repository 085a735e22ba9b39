import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { withoutOwn } from '../shared/forged-verdicts.ts'
import { readReply } from '../shared/parse-reply.ts'
import { protocolFailure } from '../shared/provider-error.ts'
import type { WireListener, WireReply } from '../shared/wire.ts'
import { needOnlyJudged } from './response-conflicts.ts'
import { judgedEnd } from './response-consistency.ts'
import { responseEnd, throwFailed } from './response-end.ts'
import { type ResponsePlace, responsePlaces, textOf } from './response-parts.ts'
import { responseHead } from './response-usage.ts'
import { isReadResponse } from './unchecked-response.ts'

/** A whole response, with the positions of its checked parts. */
export interface ResponseReply extends WireReply {
  readonly response: Fields
  readonly parts: readonly ResponsePlace[]
}

/** Reads a whole response. */
export function readResponse(given: string, listener: WireListener): ResponseReply {
  const { value, text } = readReply(given, listener.isGuarded)
  if (!isFields(value)) throw protocolFailure(given.trim() === '' ? 'the response is empty' : 'the response is not a JSON object', given)
  const { fields: response, data: body } = withoutOwn(value, text)
  throwFailed(response)
  if (!Array.isArray(response.output)) throw protocolFailure('the response has no output', body)
  listener.head(responseHead(response))
  const parts = responsePlaces(response.output)
  if (listener.isGuarded) needOnlyJudged(response, textOf(parts))
  for (const { of, value } of parts) if (of === 'text' && value !== '') listener.see(0, { type: 'text', text: value })
  const isGuarded = listener.isGuarded === true
  listener.see(0, judgedEnd(responseEnd(response, listener.alwaysEnds), !isGuarded || isReadResponse(response), isGuarded))
  return { body, response, parts }
}
