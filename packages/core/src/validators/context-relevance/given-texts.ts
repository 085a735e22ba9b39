import { isFields } from '../../answer/tool-shapes/fields.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'

/** A question, and the texts that were found for it. */
export interface GivenTexts {
  readonly question: string
  readonly chunks: readonly string[]
}

/** Where the text of a chunk is, in the order of preference. */
const textKeys = ['text', 'payload', 'content'] as const

/** Reads the question and the texts from what was given with an answer; without either there is nothing to judge. */
export function readGiven({ question, context, sources }: Readonly<Record<string, unknown>>): GivenTexts {
  if (typeof question !== 'string' || question.trim() === '')
    throw new ValidatorUnavailable('the question is unknown: give `question` with the answer')
  const list = context ?? (Array.isArray(sources) ? sources : undefined)
  if (list === undefined || list === null)
    throw new ValidatorUnavailable('the context for the question is unknown: give `context` with the answer, a list of texts')
  if (!Array.isArray(list)) throw new ValidatorUnavailable('the `context` that is given with the answer is not a list of texts')
  return { question, chunks: list.map(textOf) }
}

function textOf(chunk: unknown, index: number): string {
  if (typeof chunk === 'string') return chunk
  const text = isFields(chunk) ? textKeys.map((key) => chunk[key]).find((value) => typeof value === 'string') : undefined
  if (typeof text === 'string') return text
  throw new ValidatorUnavailable(`\`context[${index}]\` is neither a text nor an object with one (\`text\`)`)
}
