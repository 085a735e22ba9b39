import { contentText } from '../../answer/content.ts'
import type { AnswerFormat } from '../../contract/configuration/answer-format.ts'
import type { Message, Prompt } from '../runner.ts'

/** Appends rules to a prompt: after a text, or after the system messages. */
export function withInstructions(prompt: Prompt, rules: string): Prompt {
  if (rules === '') return prompt
  if (typeof prompt === 'string') return `${prompt}\n\n${rules}`
  const before = endOfSystem(prompt as readonly Message[])
  return [...prompt.slice(0, before), { role: 'system', content: rules }, ...prompt.slice(before)]
}

/**
 * A prompt with the rules and the schema of the answer, for a model behind a function. Without rules, the schema follows what the user
 * said last where the conversation has no system message: clients may refuse one that their caller did not write.
 */
export function withFormat(prompt: Prompt, { rules, text }: AnswerFormat): Prompt {
  if (typeof prompt === 'string' || rules !== '' || endOfSystem(prompt as readonly Message[]) > 0)
    return withInstructions(prompt, rules === '' ? text : `${rules}\n\n${text}`)
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  const { content } = prompt[at] ?? {}
  if (at < 0 || !content) return withInstructions(prompt, text)
  const told = typeof content === 'string' ? `${content}\n\n${text}` : [...content, { type: 'text', text }]
  return prompt.with(at, { ...(prompt[at] as Message), content: told })
}

/** Adds the schema of the answer to a conversation, below the sentences that the engine has put there. */
export function withSchema(messages: readonly Message[], { rules, text }: AnswerFormat): readonly Message[] {
  const at = endOfSystem(messages) - 1
  const isTold = messages[at]?.content === rules
  return isTold
    ? messages.with(at, { role: 'system', content: `${rules}\n\n${text}` })
    : (withInstructions(messages, text) as readonly Message[])
}

/** Whether a prompt shows the schema, however it is indented. */
export function hasSchema(prompt: Prompt, { schema }: Pick<AnswerFormat, 'schema'>): boolean {
  const { json, word } = writtenSchema(schema)
  const isIn = (text: string): boolean => text.length >= json.length && text.includes(word) && squeezed(text).includes(json)
  return typeof prompt === 'string' ? isIn(prompt) : prompt.some(({ content }) => isIn(contentText(content)))
}

/** A schema as it is searched for. */
interface WrittenSchema {
  readonly json: string
  /** Its longest word: nearly every prompt lacks it, which is found quickly. */
  readonly word: string
}

const writtenSchemas = new WeakMap<AnswerFormat['schema'], WrittenSchema>()

function writtenSchema(schema: AnswerFormat['schema']): WrittenSchema {
  const known = writtenSchemas.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema)
  const word = (text.match(/"[^"\s\\]+"/g) ?? []).reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  // Before its first keyword, a copy may name its draft.
  const written = { json: squeezed(text.slice(1)), word }
  writtenSchemas.set(schema, written)
  return written
}

/** Whether two schemas are written alike, but for the draft that they name. */
export function isSameSchema(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const [first, second] = [one, other].map(({ $schema: _, ...schema }) => JSON.stringify(schema))
  return one === other || first === second
}

function squeezed(text: string): string {
  return text.replace(/\s/g, '')
}

function endOfSystem(messages: readonly Message[]): number {
  const at = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return at < 0 ? messages.length : at
}
