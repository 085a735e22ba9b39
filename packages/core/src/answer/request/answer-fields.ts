import * as z from 'zod'
import { isNames } from '../past-context.ts'
import { type Fields, field } from '../tool-shapes/fields.ts'

/** Makes the error for a field that cannot be right; the code says why in one word, where there is one. */
export type Wrong = (param: string, message: string, code?: string) => Error

/** The most characters of a name or another short text. */
const longestName = 256

const text = (): z.ZodString => z.string('must be a string')
const list = (message = 'must be a list'): z.ZodArray => z.array(z.unknown(), message)
const record = (message = 'must be an object'): z.ZodType => z.looseObject({}, message)

/** A name or another short text of a request. */
export function shortText(): z.ZodString {
  return text().max(longestName, `may have at most ${longestName} characters`)
}

let fields: ReturnType<typeof makeFields> | undefined

/** The type of each field of an answer to check; each may be absent or `null`. */
export function answerShape(): ReturnType<typeof makeFields> {
  fields ??= makeFields()
  return fields
}

const makeFields = () => ({
  text: text().describe('The answer.'),
  tool_calls: list().describe("Its calls, as OpenAI's API has them."),
  function_call: record(),
  invalid_tool_calls: list(),
  tool_execution_history: list(),
  message: record().describe('In place of text and calls: a message of any client.'),
  response: z
    .union([text(), list(), record()], 'must be a response')
    .describe('In place of text and calls: a whole response of any client.'),
  finish_reason: shortText(),
  stop_reason: shortText(),
  tools: z.union([list(), record()], 'must be a list').describe('What may be called; an empty list offers nothing.'),
  functions: list(),
  tool_choice: z.union([text(), record()], 'must be a string or an object'),
  response_format: record().describe('The format of the request: with `json_schema` or `json_object` the value alone is wanted.'),
  parallel_tool_calls: z.boolean('must be true or false'),
  prompt: z
    .union([text(), list()], 'must be a text or a list')
    .describe('What the model was asked, a text or messages; `messages` when absent.'),
  messages: list().describe('The conversation before the answer.'),
  input: z.union([text(), list()], 'must be a text or a list'),
  previous_response_id: text(),
  conversation: z.union([text(), record()], 'must be a string or an object'),
  transcript: z.union([list(), record()], 'must be a conversation, or a list of {name, ok}'),
  expected_sequence: list('must be a list of names').refine(isNames, 'must be a list of names'),
  sources: z.union([list(), z.int().min(0)], 'must be a list, or the number of sources'),
  question: text(),
  context: z.unknown(),
})

/** When repairs are made; without a model, first and last are the same. */
export const repairField = z.enum(['first', 'last', 'never'], 'must be first, last or never')

/** A table of fields, each with what it must be. */
type Shape = Readonly<Record<string, z.ZodType>>

/** The fields of a shape that a body has, unchanged; throws for an invalid one. */
export function readShape<S extends Shape>(shape: S, body: Fields, wrong: Wrong): { readonly [K in keyof S]?: z.output<S[K]> } {
  const given: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape)) {
    const value = field(body, name) ?? undefined
    if (value === undefined) continue
    const issue = schema.safeParse(value).error?.issues[0]
    if (issue) throw wrong([name, ...issue.path].join('.'), issue.message)
    given[name] = value
  }
  return given as { readonly [K in keyof S]?: z.output<S[K]> }
}

/** The shape of a body, as a schema for its description. */
export function bodySchema(shape: Shape): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.nullish()])))
}
