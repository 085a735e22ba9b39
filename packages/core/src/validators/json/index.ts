import * as z from 'zod/mini'
import type { AnswerReader } from '../../answer/reader.ts'
import { repairClasses } from '../../contract/certificate.ts'
import type { InputOf, OutputOf, StandardJsonSchema, StandardSchema } from '../../contract/standard-schema.ts'
import { type Check, type CheckContext, defineValidator, type IncrementalCheck, type Progress } from '../../contract/validator.ts'
import { drafts } from '../../schema/draft.ts'
import { DoomWatch } from './doom-watch.ts'
import { inspectJson, type JsonCode } from './inspect.ts'
import { jsonMessages } from './messages.ts'
import { ProseBefore } from './prose-before.ts'
import { repairJsonAnswer } from './repair.ts'
import { JsonValueReader } from './value/json-value-reader.ts'
import { SchemaShapes } from './value/schema-shapes.ts'
import { ValueGuide } from './value/value-guide.ts'
import { prepareValueCheck } from './value-check.ts'

/** Releases the prose before the value, unless the value alone is wanted; the value and what follows it are judged together, unless the value is wrong for good before its end. */
export class JsonProseStream implements IncrementalCheck<JsonCode> {
  readonly #doom: DoomWatch | undefined
  /** Whether the prose is going to be removed. */
  readonly #bare: boolean
  #prose = new ProseBefore()
  #bodyStart = 0
  #length = 0

  constructor(bare: boolean, doom?: DoomWatch) {
    this.#bare = bare
    this.#doom = doom
  }

  push(chunk: string, reader: AnswerReader): Progress<JsonCode> {
    const { bodyStart } = reader
    if (bodyStart > this.#bodyStart) this.#prose = new ProseBefore()
    this.#bodyStart = bodyStart
    this.#prose.push(chunk.slice(Math.max(0, bodyStart - this.#length)))
    this.#length += chunk.length
    const safe = this.#bare ? 0 : bodyStart + this.#prose.length
    const failure = this.#doom?.push(chunk, reader)
    return failure ? { safe, failure } : { safe }
  }
}

const definition = defineValidator({
  name: 'json',
  summary: 'The answer is or contains one JSON value, which matches the schema if one is given.',
  get options() {
    return z.strictObject({
      schema: z.optional(z.unknown()).check(z.describe('JSON Schema, or any Standard Schema such as those of Zod, Valibot and ArkType.')),
      draft: z.optional(z.enum(drafts)).check(z.describe('Draft of the JSON Schema; by default that of its `$schema`, otherwise 2020-12.')),
      partial: z
        ._default(z.boolean(), false)
        .check(
          z.describe(
            'Complete truncated JSON, for live previews only: a `guess`, which the contract must have in `allow` or `lastResort`.',
          ),
        ),
      deliver: z
        .optional(z.enum(['answer', 'value']))
        .check(
          z.describe(
            'What is delivered: the `answer` as written, or the JSON text of the `value` alone; by default `value` if the context has `deliver: value`, as for structured output in the gateway.',
          ),
        ),
      duplicateKeys: z
        ._default(z.enum(['warn', 'error']), 'warn')
        .check(z.describe('Severity of a duplicate key with different values: the last one counts here; other parsers may differ.')),
      allow: z
        .optional(z.array(z.enum(repairClasses)))
        .check(
          z.describe(
            'Classes of repair that may be applied to the JSON, as far as the contract allows them; by default all that it allows, and `guess` without `partial` only when no retry is left.',
          ),
        ),
    })
  },
  codes: {
    MISSING_JSON: {
      severity: 'error',
      when: 'Nothing in the answer is written as a JSON value where one is read, and it calls no tool.',
      fix: 'Answer with one JSON value, alone, in a code block tagged `json`, or on lines of its own.',
      repaired: false,
    },
    TRUNCATED: {
      severity: 'error',
      when: 'The answer ends before its JSON value does, and the finish reason says that it was cut off, or there is none.',
      fix: 'Raise the limit, or ask for less; what was cut off is never completed by a repair.',
      repaired: false,
    },
    INVALID_JSON: {
      severity: 'error',
      when: 'The value is not valid JSON, or has a number out of range, such as 1e400; the message has the position of the first error.',
      fix: 'Correct the syntax; repairs fix quotes, commas, comments, literals and closers. A value that ends where the text ends is never closed.',
    },
    AMBIGUOUS_JSON: {
      severity: 'error',
      when: 'The answer contains a second JSON value that differs from the first: after it, in another code block, or in prose.',
      fix: 'Answer with one value; if a guess is allowed, a repair keeps the first, or the one that matches the schema.',
    },
    JSON_NOT_BARE: {
      severity: 'error',
      when: 'Only the value is to be delivered, and there is prose, a fence or reasoning around it.',
      fix: 'Answer with the value alone; a repair removes what is around it.',
    },
    DUPLICATE_KEY: {
      severity: 'warning',
      when: 'An object of the value has a duplicate key with different values.',
      fix: 'Write the key once; equal values are accepted. With `duplicateKeys: error` this is an error.',
    },
    SCHEMA_MISMATCH: {
      severity: 'error',
      when: 'The value does not match the schema; one issue per location, with its path.',
      fix: 'Correct the value; repairs convert values to the type of the schema if that is exact.',
    },
  },
  instruct: ({ schema }, locale) => jsonMessages[locale].instruct(schema !== undefined),
  prepare: ({ schema, draft, partial, deliver, duplicateKeys, allow }) => {
    const wantsBare = ({ context }: CheckContext): boolean => (deliver ?? context.deliver) === 'value'
    const check = schema === undefined ? undefined : prepareValueCheck(schema, draft)
    const shapes = check?.json && new SchemaShapes(check.json.compiled)
    return {
      allow: allow ?? (partial ? repairClasses : ['lossless', 'lossy']),
      lastResort: allow ? [] : ['guess'],
      check: (answer, context) =>
        inspectJson(answer, {
          check,
          partial,
          duplicateKeys: duplicateKeys === 'warn' ? 'warning' : 'error',
          bare: wantsBare(context),
          locale: context.locale,
        }),
      incremental: (context, told) => {
        // Where a guess may be made, another value that follows could be taken, so nothing is wrong for good.
        const mayStop = told !== undefined && !told.allowNow.includes('guess')
        const bare = wantsBare(context)
        if (!mayStop) return new JsonProseStream(bare)
        const guide = shapes && new ValueGuide(shapes, told.allowNow)
        return new JsonProseStream(bare, new DoomWatch(check, guide, told.allowNow, context.locale))
      },
      schema: check?.json?.schema,
      value: (classes) => new JsonValueReader(shapes && new ValueGuide(shapes, classes), { allow: classes, accepts: check?.accepts }),
      repair: (answer, issues, context, allowed) => {
        const bare = wantsBare(context)
        const mismatched = check?.decides || issues.some(({ code }) => code === 'SCHEMA_MISMATCH')
        const json = check?.json ? { json: check.json } : {}
        return repairJsonAnswer(answer, { partial, allowed, mismatched, bare, accepts: check?.accepts, ...json })
      },
    }
  },
})

/** The validator, which infers the type of the value from its schema, or takes it explicitly: `json<Person>({ schema })`. */
export interface JsonValidator extends Pick<typeof definition, 'definition'> {
  (options: JsonOptions, terms: Pick<Check, 'name' | 'severity' | 'when'>): Check<never>
  <Schema extends StandardSchema>(options: JsonOptions & { readonly schema: Schema }): Check<OutputOf<Schema>>
  <Schema extends StandardJsonSchema>(options: JsonOptions & { readonly schema: Schema }): Check<InputOf<Schema>>
  <Value = unknown>(options: JsonOptions): Check<Value>
}

/** The options of the validator as they are written. */
export type JsonOptions = InputOf<(typeof definition.definition)['options']>

/** Fails when the answer neither is nor holds one JSON value, or the value does not match the schema. */
export const json: JsonValidator = definition
