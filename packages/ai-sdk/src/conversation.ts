import type { CallOptions, Message, Prompt } from '@stickler/core'
import { asMessages, placeSchema, withSchema } from '@stickler/core/internal'
import type { Params, PromptMessage } from './model.ts'

/** What the model is called with: the request with another conversation, and the schema of the contract. */
export function paramsFor(params: Params, prompt: Prompt, { format }: CallOptions, abortSignal: AbortSignal): Params {
  const messages = asMessages(prompt)
  const { inPrompt } = placeSchema(format, { messages }, undefined)
  const told = inPrompt === undefined ? messages : withSchema(messages, inPrompt)
  return { ...params, prompt: told.map(inParts), abortSignal }
}

/** Only system messages are plain text in a prompt of the SDK. */
function inParts(message: Message): PromptMessage {
  const { role, content } = message
  return role !== 'system' && typeof content === 'string'
    ? { ...message, content: [{ type: 'text', text: content }] }
    : (message as PromptMessage)
}
