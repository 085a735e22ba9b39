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

/** Adds the schema of the answer to a conversation, below the sentences that the engine has put there. */
export function withSchema(messages: readonly Message[], { rules, text }: AnswerFormat): readonly Message[] {
  const at = endOfSystem(messages) - 1
  const isTold = messages[at]?.content === rules
  return isTold
    ? messages.with(at, { role: 'system', content: `${rules}\n\n${text}` })
    : (withInstructions(messages, text) as readonly Message[])
}

/** Whether a prompt shows the schema, however it is indented. */
export function hasSchema(prompt: Prompt, { schema }: AnswerFormat): boolean {
  // Before its first keyword, a copy may name its draft.
  const json = squeezed(JSON.stringify(schema).slice(1))
  const texts = typeof prompt === 'string' ? [prompt] : prompt.map(({ content }) => contentText(content))
  return texts.some((text) => squeezed(text).includes(json))
}

function squeezed(text: string): string {
  return text.replace(/\s/g, '')
}

function endOfSystem(messages: readonly Message[]): number {
  const at = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return at < 0 ? messages.length : at
}
