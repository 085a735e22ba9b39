import type { Message } from '@stickler/core'
import { likeMessage, type MessageLike, type ModelMessage } from './message.ts'

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' }

/** A message of LangChain in the words of the engine, which finds roles in it and leaves the rest alone. */
export interface Carried extends Message {
  readonly carried: unknown
}

/** Messages as the engine takes them; pairs and texts have no class of LangChain. */
export function carry(messages: readonly unknown[]): readonly Carried[] {
  return messages.map((carried) => {
    if (typeof carried === 'string') return { role: 'user', content: carried, carried }
    if (Array.isArray(carried)) return { role: roleOf(carried[0]), content: carried[1] as string, carried }
    const { role, type, content } = carried as MessageLike & { readonly role?: string }
    return { role: roleOf(role ?? type), content: content as string, carried }
  })
}

function roleOf(type: unknown): string {
  return roles[String(type)] ?? String(type)
}

/** The messages to ask with: those of the caller as they were, and what the engine added in the classes of the others where there is one. */
export function unload(messages: readonly Message[], rejected: ModelMessage | undefined): readonly unknown[] {
  const given = messages.flatMap((message) => ('carried' in message ? [message.carried] : []))
  const human = given.find((one): one is MessageLike => typeof one === 'object' && one !== null && 'type' in one && one.type === 'human')
  return messages.map((message) => {
    if ('carried' in message) return message.carried
    const template = message.role === 'user' ? human : message.role === 'assistant' ? rejected : undefined
    return template === undefined ? message : likeMessage(template, { content: message.content })
  })
}
