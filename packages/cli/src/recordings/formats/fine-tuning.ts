import { type Fields, isFields } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { answersIn, nameIn, requestFields, shared } from './free-form.ts'

const exampleKeys: ReadonlySet<string> = new Set(['messages', 'tools', 'functions', 'parallel_tool_calls', 'id', 'metadata'])

function isExample(record: Fields): boolean {
  const { messages } = record
  return (
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every((message) => isFields(message) && typeof message.role === 'string') &&
    Object.keys(record).every((key) => exampleKeys.has(key))
  )
}

const isPreference = (record: Fields): boolean => Array.isArray(record.preferred_output) && Array.isArray(record.non_preferred_output)

/** Training examples: conversations whose last answer is the wanted one, or pairs of a preferred and another answer. */
export const fineTuning: RecordFormat = {
  name: 'fine-tuning',
  title: 'OpenAI fine-tuning JSONL, chat or preference',
  keys: 'exactly messages (with tools, functions, parallel_tool_calls, id, metadata); or preferred_output, non_preferred_output',
  matches: (record) => isExample(record) || isPreference(record),
  read: (record) => (isPreference(record) ? readPreference(record) : readExample(record)),
}

function* readExample(record: Fields): Generator<Found | Missing> {
  const messages = record.messages as readonly Fields[]
  const id = nameIn(record.id)
  // A weight of 0 means that a message is not what the model is to learn.
  const at = messages.findLastIndex(({ role, weight }) => role === 'assistant' && weight !== 0)
  const { weight: _weight, ...message } = messages[at] ?? {}
  if (at < 0) return yield { id, reason: 'without text' }
  const { messages: _all, ...offered } = requestFields(record)
  yield { id, fields: { ...offered, messages: messages.slice(0, at), message } }
}

function* readPreference({ id, input, preferred_output: good, non_preferred_output: bad }: Fields): Generator<Found | Missing> {
  const name = nameIn(id)
  for (const [kind, output, label] of [
    ['preferred', good, 'good'],
    ['non-preferred', bad, 'bad'],
  ] as const)
    yield* shared(answersIn(output), { id: name === undefined ? undefined : `${name}/${kind}`, label, fields: requestFields(input) })
}
