import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Message } from '../../engine/runner.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

/** The beginning of a role's tag, also with spaces or invisible characters inside, which a model would overlook. */
// backtracks: from one < it reads only what stands before the next one
const tag = /<(?=[\s/\p{Cf}]*(?:system|developer|user|assistant|tool|function)(?![\p{L}\p{N}_-]))/giu

/**
 * Writes a conversation as one text, for a command that reads a text: each turn in the tag of its role.
 * Tags in what somebody said are escaped, so that nobody can speak in another's role. A single turn of a user needs no tag.
 */
export function writeTranscript(messages: readonly Message[]): string {
  const texts = messages.map(({ content }, index) => textOf(content, index))
  const [first = ''] = texts
  if (messages.length === 1 && messages[0]?.role === 'user' && first.search(tag) === -1) return first
  return texts.map((text, index) => inTag(messages[index]?.role, text)).join('\n\n')
}

function inTag(given: string | undefined, text: string): string {
  // A role that nobody knows must not become a tag of its own making.
  const role = roles.find((known) => known === given) ?? 'user'
  return `<${role}>\n${text.replace(tag, '&lt;')}\n</${role}>`
}

/** Leaving out what is not text would answer another question. */
function textOf(content: Message['content'], index: number): string {
  const at = Array.isArray(content) ? content.findIndex((part) => isFields(part) && !isText(part)) : -1
  if (!Array.isArray(content) || at === -1) return contentText(content)
  const message = `messages[${index}].content[${at}] is not text; the Claude command line reads only text`
  throw new RunnerFailure('http', message, { status: 400, body: JSON.stringify({ error: { message } }) })
}

function isText({ type, text }: Fields): boolean {
  return type === 'refusal' || (typeof text === 'string' && (type === undefined || type === 'text'))
}
