import { readToolCalls } from '@stickler/core'
import { contentText, refusalText } from '@stickler/core/runners'
import { type ChatRequest, type ClientRequest, HttpError } from '@stickler/core/internal'
import { replyWords } from '../../delivery/reply/reply-words.ts'
import { picturesIn } from '../../requests/budgets/pictures.ts'
import type { Target } from '../../requests/target.ts'
import { saidLength } from './said-length.ts'

/**
 * Request fields that hold messages or items, and those read like a single message, over all APIs.
 */
const lists = ['messages', 'input']
const singles = ['system', 'instructions', 'prompt']

/** Rejects requests with more or longer messages than a route allows: as read, and as sent. */
export function limitMessages({ chat, body }: Pick<ClientRequest, 'chat' | 'body'>, target: Target): void {
  limitRead(chat, target)
  for (const name of lists) {
    const sent = body[name]
    if (Array.isArray(sent)) limitSent(name, sent, target)
    else limitLength(name, sent, target)
  }
  for (const name of singles) limitLength(name, body[name], target)
}

function limitRead({ messages }: ChatRequest, { messages: most, contract }: Target): void {
  const say = replyWords[contract.policy.locale]
  if (messages.length > most.count) throw tooMuch('messages', say.tooManyMessages(most.count, messages.length))
  messages.forEach((message, index) => {
    const { content } = message
    const length = typeof content === 'string' ? content.length : contentText(content).length
    if (length > most.characters) throw tooMuch(`messages[${index}].content`, say.messageTooLong(most.characters, length))
    const all = length + furtherLength(message)
    if (all > most.characters) throw tooMuch(`messages[${index}]`, say.messageTooLong(most.characters, all))
  })
}

/** Unread parts are sent too: tool results, documents, reasoning, blocks of future kinds. */
function limitSent(name: string, sent: readonly unknown[], target: Target): void {
  const { messages: most, contract } = target
  if (sent.length > most.count) throw tooMuch(name, replyWords[contract.policy.locale].tooManyMessages(most.count, sent.length))
  const pictures = picturesIn(sent)
  for (const [index, message] of sent.entries()) limitLength(`${name}[${index}]`, message, target, pictures)
}

function limitLength(param: string, value: unknown, { messages: most, contract }: Target, pictures?: ReadonlyMap<object, string>): void {
  if (value === undefined) return
  const length = saidLength(value, pictures)
  if (length > most.characters) throw tooMuch(param, replyWords[contract.policy.locale].messageTooLong(most.characters, length))
}

/** What a message holds beside its text: refusals, names, tool calls. */
function furtherLength(message: ChatRequest['messages'][number]): number {
  const { content, name, refusal, tool_calls: calls, function_call: call } = message
  let length = typeof name === 'string' ? name.length : 0
  if (Array.isArray(content) || refusal !== undefined) length += refusalText(message).length
  if (calls === undefined && call === undefined) return length
  for (const made of readToolCalls(message)) length += made.name.length + made.arguments.length
  return length
}

function tooMuch(param: string, message: string): HttpError {
  return new HttpError(400, message, { param, code: 'limit_exceeded' })
}
