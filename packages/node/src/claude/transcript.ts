import { type Message, RunnerFailure } from '@stickler/core'
import { contentText, type Fields, isFields } from '@stickler/core/internal'
import { readToolCalls } from '@stickler/core/validators'

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

/** What a model overlooks in a name: control characters and those that nobody sees. */
const unseen = '\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}'
const names = roles.map((role) => [...role].join(`[${unseen}]*`)).join('|')

/** The beginning of a role's tag, also with spaces before its name and invisible characters inside. */
// backtracks: from one < it reads only up to the next one
const tag = new RegExp(`<(?=[\\s/${unseen}]*(?:${names})(?![\\p{L}\\p{N}_-]))`, 'giu')

/**
 * Writes a conversation as one text, for a command that reads a text: each turn in the tag of its role.
 * Tags in what somebody said are escaped, so that nobody can speak in another's role. A single turn of a user needs no tag.
 */
export function writeTranscript(messages: readonly Message[]): string {
  const texts = messages.map((message, index) => textOf(message.content, index) + callsOf(message))
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

/** What an assistant called, without which the results behind it answer nothing; on one line, so that it cannot end its fence. */
function callsOf(message: Message): string {
  const calls = message.role === 'assistant' ? readToolCalls(message).map(({ name, arguments: given }) => ({ name, arguments: given })) : []
  return calls.length === 0 ? '' : `\n\`\`\`json\n${JSON.stringify({ tool_calls: calls })}\n\`\`\``
}

/** Members that are more than text, whatever the part calls itself. */
const media = ['image_url', 'input_audio', 'audio', 'file', 'image', 'source']

function isText(part: Fields): boolean {
  const { type, text } = part
  if (media.some((name) => isFields(part[name]) || typeof part[name] === 'string')) return false
  return type === 'refusal' || (typeof text === 'string' && (type === undefined || type === 'text'))
}
