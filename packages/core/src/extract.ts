import { isFields } from './answer/tool-shapes/fields.ts'
import { ConfigurationError } from './contract/configuration-error.ts'
import type { ContractInput } from './contract/contract.ts'
import { defineContract } from './contract/define-contract.ts'
import { issue } from './contract/issue.ts'
import type { InputOf, OutputOf, StandardJsonSchema, StandardSchema } from './contract/standard-schema.ts'
import type { Check } from './contract/validator.ts'
import { enforce } from './engine/enforce.ts'
import { type OptionNames, rejectUnknown } from './engine/option-names.ts'
import { UndeliveredError } from './engine/results/undelivered-error.ts'
import type { EnforceOptions } from './engine/run-state.ts'
import type { Runner } from './engine/runner.ts'
import { type ChatMessage, fromFunction, type ModelFunction } from './runners/from-function.ts'
import { json } from './validators/json/index.ts'

/** Who is asked: a runner, or any function that calls a model. */
export type AskedModel<Given = ChatMessage> =
  | { readonly runner: Runner; readonly model?: never }
  | { readonly model: ModelFunction<Given>; readonly runner?: never }

/** What is asked, and what else counts for the answer. */
export interface ExtractTerms
  extends Pick<ContractInput, 'retries' | 'allow' | 'budget' | 'locale' | 'instruct'>,
    Omit<EnforceOptions, 'contract' | 'runner' | 'only' | 'tally'> {
  /** Further checks of the answer. */
  readonly checks?: readonly Check[]
}

/** The type of the value that a schema describes. */
export type ExtractedValue<Schema> = Schema extends StandardSchema
  ? OutputOf<Schema>
  : Schema extends StandardJsonSchema
    ? InputOf<Schema>
    : unknown

const extractOptions: OptionNames<ExtractTerms & Record<'schema' | 'model' | 'runner', unknown>> = {
  schema: true,
  model: true,
  runner: true,
  prompt: true,
  retries: true,
  allow: true,
  budget: true,
  locale: true,
  instruct: true,
  checks: true,
  session: true,
  onEvent: true,
  runId: true,
  context: true,
  ports: true,
  signal: true,
  clock: true,
  request: true,
  executor: true,
}

/** Asks a model for one value that matches a schema, which is sent with the prompt; throws an `UndeliveredError` when there is none. */
export async function extract<const Schema extends object, Given = ChatMessage>(
  options: ExtractTerms & AskedModel<Given> & { readonly schema: Schema },
): Promise<ExtractedValue<Schema>> {
  rejectUnknown(options, extractOptions)
  const { schema, runner, model, retries, allow, budget, locale, instruct = true, checks = [], ...rest } = options
  if (!isFields(schema) && typeof schema !== 'function')
    throw new ConfigurationError([{ message: 'pass a JSON Schema, or any Standard Schema', path: ['schema'] }])
  if ((runner === undefined) === (model === undefined))
    throw new ConfigurationError([{ message: 'pass a runner, or a model: a function that calls one', path: [] }])
  const policy = Object.fromEntries(Object.entries({ retries, allow, budget, locale }).filter(([, value]) => value !== undefined))
  const contract = defineContract({ ...policy, instruct, checks: Array.isArray(checks) ? [json({ schema }), ...checks] : checks })
  const outcome = await enforce({ ...rest, contract, runner: runner ?? fromFunction(model as ModelFunction<Given>) })
  const value: unknown = outcome.unwrap()
  // A turn that only calls tools keeps its contract without a value.
  if (!('value' in outcome)) throw new UndeliveredError({ status: 'unresolved', issues: [withoutValue()], unchecked: [] })
  return value as ExtractedValue<Schema>
}

function withoutValue() {
  return {
    ...issue('MISSING_JSON', 'Answer with one JSON value; the answer only calls tools.'),
    severity: 'error' as const,
    validator: 'json',
  }
}
