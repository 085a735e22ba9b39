import { type Fields, isFields } from '@stickler/core/internal'
import type { Label } from '../recording.ts'
import type { Found, Missing, RecordFormat } from './format.ts'
import { answersIn, askedFields, labelIn, nameIn, requestFields, shared, usageIn } from './free-form.ts'

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

/** The output items of OpenAI's Evals API, with the verdict of their graders. */
export const openaiEvals: RecordFormat = {
  name: 'openai-evals',
  title: 'OpenAI Evals output items',
  keys: 'object: eval.run.output_item',
  matches: ({ object }) => object === 'eval.run.output_item',
  *read({ id, sample, results }) {
    const name = nameIn(id)
    if (!isFields(sample)) return yield { id: name, reason: 'without text' }
    const { error, input, output, finish_reason: reason, model, usage } = sample
    if (isFields(error) && nameIn(error.message) !== undefined)
      return yield { id: name, reason: 'error', detail: String(error.message).slice(0, 200) }
    yield* shared(answersIn(output), {
      id: name,
      model: nameIn(model),
      usage: usageIn(usage),
      label: verdictOf(results),
      fields: { ...askedFields(input), ...(typeof reason === 'string' && reason !== '' ? { finish_reason: reason } : {}) },
    })
  },
}

/** Good when every grader passed it. */
function verdictOf(results: unknown): Label | undefined {
  if (!Array.isArray(results) || results.length === 0) return undefined
  const passed = results.map((result) => (isFields(result) ? result.passed : undefined))
  if (passed.some((one) => typeof one !== 'boolean')) return undefined
  return passed.every(Boolean) ? 'good' : 'bad'
}

const pairs = [
  ['prompt', 'completion'],
  ['input', 'output'],
  ['question', 'answer'],
] as const
const beside: ReadonlySet<string> = new Set(['id', 'metadata', 'label'])

function pairIn(record: Fields): (typeof pairs)[number] | undefined {
  return pairs.find(
    ([asked, answered]) =>
      Object.hasOwn(record, asked) &&
      Object.hasOwn(record, answered) &&
      Object.keys(record).every((key) => key === asked || key === answered || beside.has(key)),
  )
}

/** Pairs of a question and its answer, with nothing else that could mean something. */
export const plain: RecordFormat = {
  name: 'plain',
  title: 'pairs of prompt and completion, input and output, or question and answer',
  keys: 'exactly prompt and completion, input and output, or question and answer (with id, metadata, label)',
  matches: (record) => pairIn(record) !== undefined,
  *read(record) {
    const [asked = '', answered = ''] = pairIn(record) ?? []
    const question = asked === 'question' && typeof record.question === 'string' ? { question: record.question } : {}
    yield* shared(answersIn(record[answered]), {
      id: nameIn(record.id),
      label: labelIn(record.label),
      fields: { ...askedFields(record[asked]), ...question },
    })
  },
}
