import { isObject, type JsonObject } from '../../json/json-value.ts'
import type { Locale } from '../locale.ts'
import type { Policy } from '../policy.ts'
import type { PreparedValidator } from '../validator.ts'
import type { ActiveValidator } from './read-checks.ts'

/** The JSON Schema that a contract tells the model up front. */
export interface AnswerFormat {
  readonly schema: Readonly<Record<string, unknown>>
  /** The schema in words, for a prompt. */
  readonly text: string
  /** The sentences of the contract, which the prompt has already. */
  readonly rules: string
  /** Whether it is the schema of each line of the answer, which no provider can guarantee. */
  readonly isOfLines?: boolean
}

/** A longer schema would crowd out the prompt of the user. */
export const longestSchemaText = 64 * 1024

const introductions: Readonly<Record<Locale, readonly [whole: string, lines: string]>> = {
  en: ['This is the JSON Schema of the answer:', 'This is the JSON Schema of each line of the answer:'],
  de: ['Das ist das JSON-Schema der Antwort:', 'Das ist das JSON-Schema jeder Zeile der Antwort:'],
}

/** What a contract tells the model about the shape of its answer, beside its `rules`; undefined where its policy tells nothing, and without a JSON Schema. */
export function answerFormat(
  { validators, policy }: { readonly validators: readonly ActiveValidator[]; readonly policy: Policy },
  rules: string,
): AnswerFormat | undefined {
  const { instruct, mode, locale } = policy
  // What is only observed is asked as before.
  if (instruct === false || (instruct === 'schema' && mode === 'shadow')) return undefined
  const told = validators.find(({ prepared }) => isObject(prepared.schema))
  if (told === undefined) return undefined
  const known = formats.get(told)
  if (known?.policy === policy && known.format.rules === rules) return known.format
  const { instruction, prepared } = told
  const { schema, json } = sentSchema(prepared.schema as JsonObject)
  if (instruct === 'schema' && json.length > longestSchemaText) return undefined
  const text = introduced(json, prepared, locale)
  const format = {
    schema,
    text: instruct === 'schema' ? `${instruction}\n\n${text}` : text,
    rules,
    ...(prepared.lines === true && { isOfLines: true }),
  }
  formats.set(told, { policy, format })
  return format
}

/** Formats that were written before: the runs of a contract tell the same. */
const formats = new WeakMap<ActiveValidator, { readonly policy: Policy; readonly format: AnswerFormat }>()

/** A schema as JSON, with the words that introduce it. */
export function introduced(json: string, { lines }: Pick<PreparedValidator, 'lines'>, locale: Locale): string {
  return `${introductions[locale][lines === true ? 1 : 0]}\n${fenced(json)}`
}

/** JSON in a code block, on one line, so that nothing in it can close the fence. */
export function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``
}

interface SentSchema {
  readonly schema: JsonObject
  readonly json: string
}

const copies = new WeakMap<JsonObject, SentSchema>()

/** A schema as it is sent: a copy that nobody changes; the same one each time, so that what is made of it can be kept. */
export function sentSchema(given: JsonObject): SentSchema {
  const known = copies.get(given)
  if (known !== undefined) return known
  // No model needs to know the draft.
  const { $schema: _, ...told } = given
  const json = JSON.stringify(told)
  const copy = { schema: JSON.parse(json) as JsonObject, json }
  copies.set(given, copy)
  return copy
}
