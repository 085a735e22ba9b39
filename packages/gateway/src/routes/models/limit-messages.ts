import { contentText, type Fields, isFields, refusalText } from '@stickler/core/internal'
import {
  type Api,
  type ChatRequest,
  type ClientRequest,
  chat as chatApi,
  HttpError,
  messages,
  type RequestTexts,
  responses,
} from '@stickler/core/internal/apis'
import { replyWords } from '@stickler/core/internal/relay'
import { readToolCalls } from '@stickler/core/validators'
import { picturesIn } from '../../requests/budgets/prompt-tokens.ts'
import type { Target } from '../../requests/target.ts'

const known = [chatApi, messages, responses].flatMap(({ texts }) => texts ?? [])
/** Members of all APIs: a provider may also read those that the client's API does not have. */
const lists = new Set(known.flatMap((texts) => texts.lists))
const singles = new Set(known.flatMap((texts) => texts.singles))

/** No JSON is longer as it is read: numbers grow most, from `1e20` to 21 digits. */
const mostGrowth = 8
/** Each message needs a character, and one before it. */
const leastMessage = 2

/** Rejects requests with more or longer messages than a route allows: as read, and as sent; a short `source` has neither. */
export function limitMessages(
  { chat, body }: Pick<ClientRequest, 'chat' | 'body'>,
  target: Target,
  { texts }: Pick<Api, 'texts'>,
  source?: string,
): void {
  const { count, characters } = target.messages
  if (source !== undefined && source.length * mostGrowth <= characters && source.length <= count * leastMessage) return
  limitRead(chat, target)
  if (texts === undefined) return
  const isKnown = known.includes(texts)
  for (const name of isKnown ? lists : new Set([...lists, ...texts.lists])) {
    const sent = body[name]
    if (Array.isArray(sent)) limitSent(name, sent, target, texts)
    else limitLength(name, sent, target, texts)
  }
  for (const name of isKnown ? singles : new Set([...singles, ...texts.singles])) limitLength(name, body[name], target, texts)
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
function limitSent(name: string, sent: readonly unknown[], target: Target, texts: RequestTexts): void {
  const { messages: most, contract } = target
  if (sent.length > most.count) throw tooMuch(name, replyWords[contract.policy.locale].tooManyMessages(most.count, sent.length))
  const pictures = picturesIn(sent)
  for (const [index, message] of sent.entries()) limitLength(`${name}[${index}]`, message, target, texts, pictures)
}

function limitLength(
  param: string,
  value: unknown,
  { messages: most, contract }: Target,
  texts: RequestTexts,
  pictures: ReadonlyMap<object, string> = none,
): void {
  if (value === undefined) return
  const length = saidLength(value, texts, pictures)
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

/** Longer values are never only types or ids. */
const longestMark = 64

const none: ReadonlyMap<object, string> = new Map()

/** The number of characters in a message, in any field, without the bytes of images and files. */
function saidLength(message: unknown, texts: RequestTexts, pictures: ReadonlyMap<object, string>): number {
  let length = 0
  const open: unknown[] = [message]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') length += value.length
    else if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (isFields(value)) {
      for (const name in value) {
        const member = value[name]
        if (name.length > longestMark) length += name.length
        if (typeof member !== 'string') open.push(member)
        else if (pictures.get(value) !== name && !isUnsaid(value, name, member, texts)) length += member.length
      }
    }
  }
  return length
}

/** Types, ids, and files, whose base64 has no blanks; a text stays a text, even where a file is expected. */
function isUnsaid(holder: Fields, name: string, value: string, { marks }: RequestTexts): boolean {
  if (value.length <= longestMark && marks.has(name)) return true
  return known.some(({ isFile }) => isFile(holder, name)) && !value.startsWith('data:text/') && !value.includes(' ')
}
