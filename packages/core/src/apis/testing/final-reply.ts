import type { FinalChoice, FinalReply } from '../shared/api.ts'
import { HttpError } from '../shared/http-error.ts'

/** A choice as it is delivered. */
export const choice: FinalChoice = {
  index: 0,
  text: 'Hi.',
  toolCalls: [],
  finishReason: 'stop',
  message: {},
  fields: {},
  verdict: { status: 'valid', contract: 'demo', attempts: 1, issues: [], fixed: [], repairs: [], unchecked: [] },
}

/** A reply with that choice. */
export const reply: FinalReply = {
  id: 'chatcmpl-1',
  created: 5,
  model: 'm',
  fields: {},
  choices: [choice],
  usage: { promptTokens: 3, completionTokens: 4 },
}

/** The error that a reader throws or returns; undefined when it accepts. */
export function refusalOf(read: () => { readonly refused?: HttpError }): HttpError | undefined {
  try {
    return read().refused
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}
