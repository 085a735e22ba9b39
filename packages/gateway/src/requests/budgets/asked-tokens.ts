import type { Message } from '@stickler/core'
import { type AnswerFormat, mostFormatBytes, placeSchema } from '@stickler/core/internal'
import { withoutLimits } from './completion-limit.ts'
import { promptTokensOf, sentTokensOf, tokensOfBytes } from './prompt-tokens.ts'

/** What is sent besides messages. */
interface AskedRequest {
  readonly chat: Readonly<Record<string, unknown>>
  /** The client's own request, where it is sent unchanged. */
  readonly native?: { readonly request: { readonly body: Readonly<Record<string, unknown>> } } | undefined
}

/** An upper estimate of the tokens of a request, with the schema that it sends. */
export function askedTokens({ chat, native }: AskedRequest, messages: readonly Message[], format: AnswerFormat | undefined): number {
  const given = { ...chat, messages }
  const sent = native?.request.body
  const asked = promptTokensOf(withoutLimits(given))
  const { inPrompt } = placeSchema(format, sent ?? given, undefined)
  const told = inPrompt === undefined ? 0 : tokensOfBytes(mostFormatBytes(inPrompt))
  return told + (sent === undefined ? asked : Math.max(asked, sentTokensOf(withoutLimits(sent))))
}
