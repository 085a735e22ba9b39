import { contentText, refusalText, unreadOf } from '../../answer/content.ts'
import { readFinishReason } from '../../answer/finish-reason.ts'
import { readToolCalls } from '../../answer/tool-calls.ts'
import { isFields } from '../../answer/tool-shapes/fields.ts'
import type { ModelEvent } from '../../engine/runner.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { endEvent } from '../end-event.ts'
import { protocolFailure } from '../failures/provider-failures.ts'
import { parseJson } from '../json.ts'
import { errorObjectFailure } from '../provider-error.ts'
import { secretRoom } from '../secrets.ts'
import { endOf } from './openai-content.ts'
import { type Price, readUsage } from './openai-usage.ts'

/** How answers of a provider are read. */
export interface ReplySettings {
  readonly price?: Price | undefined
  /** Whether the provider sends a finish reason with every answer, or not always; always. */
  readonly finishReasons?: 'always' | 'sometimes' | undefined
}

/** Reads a chat completion that came in one piece. */
export function* readReply(body: string, { price, finishReasons }: ReplySettings = {}): Generator<ModelEvent> {
  const reply = parseJson(body)
  if (!isFields(reply)) throw protocolFailure('the response is not a JSON object', body)
  const error = errorObjectFailure(reply)
  if (error !== undefined) throw error
  if (!Array.isArray(reply.choices)) throw protocolFailure('the response has no choices', body)
  const choice: unknown = reply.choices[0]
  if (choice === undefined) throw new RunnerFailure('empty', 'the response has no choice', { body: body.slice(0, 2 * secretRoom) })
  if (!isFields(choice)) throw protocolFailure('the first choice is not an object', body)
  const choiceError = errorObjectFailure(choice)
  if (choiceError !== undefined) throw choiceError

  const message = isFields(choice.message) ? choice.message : {}
  const content = contentText(message.content)
  const refusal = refusalText(message)
  const text = content === '' ? refusal : content
  const end = endOf(readFinishReason(choice.finish_reason), refusal !== '', finishReasons !== 'sometimes')
  if (text !== '') yield { type: 'text', text }
  yield endEvent({
    ...end,
    unread: unreadOf(message),
    usage: readUsage(reply.usage, price),
    toolCalls: readToolCalls(message.tool_calls),
  })
}
