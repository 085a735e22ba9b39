import { contentText } from '../../answer/content.ts'
import type { AnswerFormat } from '../../contract/configuration/answer-format.ts'
import type { Message, Prompt } from '../runner.ts'

/** Appends rules to a prompt: to a text, or to the last system message, because chat templates such as that of Qwen refuse a second one. */
export function withInstructions(prompt: Prompt, rules: string): Prompt {
  if (rules === '') return prompt
  if (typeof prompt === 'string') return `${prompt}\n\n${rules}`
  const at = endOfSystem(prompt as readonly Message[]) - 1
  return at < 0 ? [{ role: 'system', content: rules }, ...prompt] : appended(prompt as readonly Message[], at, rules)
}

/**
 * A prompt with the rules and the schema of the answer, for a model behind a function. Without rules, the schema follows what the user
 * said last where the conversation has no system message: clients may refuse one that their caller did not write.
 */
export function withFormat(prompt: Prompt, { rules, text }: AnswerFormat): Prompt {
  if (typeof prompt === 'string' || rules !== '' || endOfSystem(prompt as readonly Message[]) > 0)
    return withInstructions(prompt, rules === '' ? text : `${rules}\n\n${text}`)
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  return prompt[at]?.content ? appended(prompt as readonly Message[], at, text) : withInstructions(prompt, text)
}

/** Adds the schema of the answer to a conversation, below the sentences that the engine has put there. */
export const withSchema = (messages: readonly Message[], { text }: AnswerFormat): readonly Message[] =>
  withInstructions(messages, text) as readonly Message[]

function appended(messages: readonly Message[], at: number, text: string): readonly Message[] {
  const message = messages[at] as Message
  const { content } = message
  const told = Array.isArray(content) ? [...content, { type: 'text', text }] : content ? `${content}\n\n${text}` : text
  return messages.with(at, { ...message, content: told })
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
