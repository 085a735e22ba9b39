import type { Message } from '@stickler/core'
import { contentText, type Fields, isFields, parseJson } from '@stickler/core/internal'
import { isCallBlock, isThought, likeMessage, type MessageLike, type ModelMessage } from './message.ts'

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }

/** A message of LangChain in the words of the engine, which finds roles in it and leaves the rest alone. */
interface Carried extends Message {
  readonly carried: unknown
}

/** What a model is asked, as a list: of a text, a prompt that was filled in, or messages. */
export function messagesOf(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input
  return isFields(input) && typeof input.toChatMessages === 'function' ? (input.toChatMessages() as readonly unknown[]) : [input]
}

/** Messages as the engine takes them; pairs and texts have no class of LangChain. */
export function carry(messages: readonly unknown[]): readonly Carried[] {
  return messages.map((carried) => {
    if (typeof carried === 'string') return { role: 'user', content: carried, carried }
    if (Array.isArray(carried)) return { role: roleOf(carried[0]), content: carried[1] as string, carried }
    if (!isFields(carried)) throw new TypeError(`a model is asked with a text or with messages, not with ${String(carried)}`)
    const { role, type, content } = carried as unknown as MessageLike & { readonly role?: string }
    return { role: roleOf(role ?? type), content: content as string, carried }
  })
}

function roleOf(type: unknown): string {
  return roles[String(type)] ?? String(type)
}

/** The messages to ask with: those of the caller as they were, and what the engine added in the classes of the others where there is one. */
export function unload(messages: readonly Message[], rejected: ModelMessage | undefined): readonly unknown[] {
  const given = messages.flatMap((message) => ('carried' in message ? [message.carried] : []))
  const ofType = (type: string) => given.findLast((one): one is MessageLike => isFields(one) && one.type === type)
  const [human, system] = [ofType('human'), ofType('system')]
  // Some providers take no second system message.
  const rules = system === undefined ? [] : messages.filter(isRule).map(({ content }) => contentText(content))
  return messages.flatMap((message) => {
    if ('carried' in message) {
      if (message.carried === system && rules.length > 0) return [withRules(message.carried as MessageLike, rules)]
      return [withContent(message as Carried)]
    }
    if (rules.length > 0 && isRule(message)) return []
    if (Array.isArray(message.tool_calls)) return [calling(message, message.tool_calls as readonly Fields[], rejected)]
    if (message.role === 'tool') return [{ ...message, status: 'error' }]
    const template = message.role === 'user' ? human : message.role === 'assistant' ? rejected : undefined
    return [template === undefined ? message : likeMessage(template, { content: message.content })]
  })
}

/** The rejected message with its calls, as far as they are shown; what else its provider needs back stays. */
function calling({ content }: Message, made: readonly Fields[], rejected: ModelMessage | undefined): object {
  const tool_calls = made.map(({ id, function: called, custom }) => {
    const { name, arguments: given, input } = isFields(custom) ? custom : isFields(called) ? called : {}
    return { type: 'tool_call', id, name, args: input === undefined ? parseJson(String(given)) : { input } }
  })
  if (rejected === undefined) return { role: 'assistant', content: content ?? '', tool_calls }
  const { content: blocks, additional_kwargs: kwargs, response_metadata } = rejected
  const { tool_calls: _calls, function_call: _call, ...others } = (kwargs ?? {}) as Fields
  const thoughts = Array.isArray(blocks) ? blocks.filter(isThought) : []
  const text = content ? [{ type: 'text', text: content }] : []
  const uses = tool_calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))
  return likeMessage(rejected, {
    content: Array.isArray(blocks) ? [...thoughts, ...text, ...(blocks.some(isCallBlock) ? uses : [])] : (content ?? ''),
    tool_calls,
    additional_kwargs: others,
    response_metadata,
  })
}

/** Whether the engine has added a message with the rules of the contract. */
function isRule(message: Message): boolean {
  return message.role === 'system' && !('carried' in message)
}

/** The caller's message, with the feedback that the engine has put before its content. */
function withContent({ role, content, carried }: Carried): unknown {
  const [own] = carry([carried])
  if (own?.content === content) return carried
  return isFields(carried) && 'type' in carried ? likeMessage(carried as unknown as MessageLike, { content }) : { role, content }
}

function withRules(system: MessageLike, rules: readonly string[]): MessageLike {
  const own = Array.isArray(system.content) ? system.content : [{ type: 'text', text: system.content }]
  const parts = [...own.filter((part: unknown) => !isFields(part) || part.text !== ''), { type: 'text', text: rules.join('\n\n') }]
  return likeMessage(system, { content: parts.length === 1 ? rules.join('\n\n') : parts })
}
