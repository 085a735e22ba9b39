import type { Fields } from '@stickler/core/internal'
import type { RecordFormat } from './format.ts'
import { answersIn, askedFields, labelIn, nameIn, shared } from './free-form.ts'

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
