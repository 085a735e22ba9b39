import type { Message } from '@stickler/core'
import { contentText, isFields } from '@stickler/core/runners'

/** A conversation, split at its last question. */
export interface AskedQuery {
  /** The text of the last message of a user; empty when there is none. */
  readonly query: string
  readonly history: readonly Message[]
  /** The message that asks; absent when no user says anything. */
  readonly asking: Message | undefined
  /** What follows the question, such as calls of tools and their results. */
  readonly rest: readonly Message[]
}

/** Finds the last question of a conversation. */
export function queryOf(messages: readonly Message[]): AskedQuery {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  if (at < 0) return { query: '', history: messages, asking: undefined, rest: [] }
  const asking = messages[at]
  return { query: textOf(asking?.content), history: messages.slice(0, at), asking, rest: messages.slice(at + 1) }
}

/**
 * The text of a message; parts are joined by line breaks, because words of two parts are not one
 * word.
 */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return contentText(content)
  return content
    .map((part) => contentText([part]))
    .filter((text) => text !== '')
    .join('\n')
}

/**
 * Replaces the conversation with a prepared prompt, which ends with the question; everything else
 * the client sent stays.
 */
export function promptFor({ asking, rest }: AskedQuery, prepared: readonly Message[]): readonly Message[] {
  const question = prepared.at(-1)
  if (question === undefined || asking === undefined) return [...prepared, ...rest]
  const content = contentFor(asking.content, contentText(question.content))
  return [...prepared.slice(0, -1), { ...asking, content } as Message, ...rest]
}

/** Other parts, such as pictures, stay where they are; the texts become one, in the place of the first. */
function contentFor(content: unknown, text: string): Message['content'] {
  if (!Array.isArray(content)) return text
  const first = content.findIndex(isText)
  const parts = content.filter((part, index) => index === first || !isText(part))
  return parts.map((part) => (isText(part) ? (isFields(part) ? { ...part, text } : text) : part)) as Message['content']
}

function isText(part: unknown): boolean {
  return contentText([part]) !== ''
}
