import type { Message } from '@stickler/core'
import { contentText, isFields } from '@stickler/core/internal'
import { likeMessage, type MessageLike, type ModelMessage } from './message.ts'

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }

/** A message of LangChain in the words of the engine, which finds roles in it and leaves the rest alone. */
export interface Carried extends Message {
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
    if ('carried' in message)
      return message.carried === system && rules.length > 0 ? [withRules(message.carried as MessageLike, rules)] : [message.carried]
    if (rules.length > 0 && isRule(message)) return []
    const template = message.role === 'user' ? human : message.role === 'assistant' ? rejected : undefined
    return [template === undefined ? message : likeMessage(template, { content: message.content })]
  })
}

/** Whether the engine has added a message with the rules of the contract. */
function isRule(message: Message): boolean {
  return message.role === 'system' && !('carried' in message)
}

function withRules(system: MessageLike, rules: readonly string[]): MessageLike {
  const own = Array.isArray(system.content) ? system.content : [{ type: 'text', text: system.content }]
  const parts = [...own.filter((part: unknown) => !isFields(part) || part.text !== ''), { type: 'text', text: rules.join('\n\n') }]
  return likeMessage(system, { content: parts.length === 1 ? rules.join('\n\n') : parts })
}
