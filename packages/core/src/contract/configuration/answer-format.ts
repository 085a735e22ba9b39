import { isObject, type JsonObject } from '../../json/json-value.ts'
import type { Locale } from '../locale.ts'
import type { Policy } from '../policy.ts'
import type { ActiveValidator } from './read-checks.ts'

/** The JSON Schema that a contract tells the model up front, with `instruct`. */
export interface AnswerFormat {
  readonly schema: Readonly<Record<string, unknown>>
  /** The schema in words, for a prompt. */
  readonly text: string
  /** The sentences of the contract, which the prompt has already. */
  readonly rules: string
}

/** A longer schema would crowd out the prompt of the user. */
export const longestSchemaText = 64 * 1024

const introductions: Readonly<Record<Locale, string>> = {
  en: 'This is the JSON Schema of the answer:',
  de: 'Das ist das JSON-Schema der Antwort:',
}

/** What a contract tells the model about the shape of its answer, beside its `rules`; undefined without `instruct`, or without a JSON Schema. */
export function answerFormat(
  { validators, policy }: { readonly validators: readonly ActiveValidator[]; readonly policy: Policy },
  rules: string,
): AnswerFormat | undefined {
  const given = policy.instruct ? validators.find(({ prepared }) => isObject(prepared.schema))?.prepared.schema : undefined
  if (!isObject(given)) return undefined
  const { schema, json } = copied(given)
  // On one line, so that nothing in the schema can close the fence.
  return { schema, text: `${introductions[policy.locale]}\n\`\`\`json\n${json}\n\`\`\``, rules }
}

interface CopiedSchema {
  readonly schema: JsonObject
  readonly json: string
}

const copies = new WeakMap<JsonObject, CopiedSchema>()

/** A copy that nobody changes; the same one each time, so that what is made of it can be kept. */
function copied(given: JsonObject): CopiedSchema {
  const known = copies.get(given)
  if (known !== undefined) return known
  // No model needs to know the draft.
  const { $schema: _, ...told } = given
  const json = JSON.stringify(told)
  const copy = { schema: JSON.parse(json) as JsonObject, json }
  copies.set(given, copy)
  return copy
}
