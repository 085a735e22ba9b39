import * as z from 'zod/mini'
import type { AnswerOutline } from '../../answer/reader.ts'
import { type RepairClass, repairClasses } from '../../contract/certificate.ts'
import type { InputOf, OutputOf, StandardJsonSchema, StandardSchema } from '../../contract/standard-schema.ts'
import {
  type Check,
  type CheckContext,
  defineValidator,
  type IncrementalCheck,
  type PreparedValidator,
  type Progress,
} from '../../contract/validator.ts'
import { drafts } from '../../schema/draft.ts'
import { jsonCodes as codes } from './codes.ts'
import { DoomWatch } from './doom-watch.ts'
import { inspectJson, type JsonCode, type JsonRules } from './inspect.ts'
import { inspectLines, repairLines } from './lines/inspect-lines.ts'
import { LineStream } from './lines/line-stream.ts'
import { LineValues } from './lines/line-values.ts'
import { jsonMessages } from './messages.ts'
import { ProseBefore } from './prose-before.ts'
import { repairJsonAnswer } from './repair.ts'
import { JsonValueReader } from './value/json-value-reader.ts'
import { SchemaShapes } from './value/schema-shapes.ts'
import { ValueGuide } from './value/value-guide.ts'
import { prepareValueCheck, type ValueCheck } from './value-check.ts'

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

  push(chunk: string, reader: AnswerOutline): Progress<JsonCode> {
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
      lines: z
        ._default(z.boolean(), false)
        .check(
          z.describe(
            'Each line of the answer is a value that matches the schema (JSON lines): lines are judged, repaired and released one by one, and the value is the array of all.',
          ),
        ),
      format: z
        ._default(z.enum(['assert', 'annotate']), 'assert')
        .check(
          z.describe(
            'Whether `format` of a JSON Schema is a rule, such as `date` or `email`, or only an annotation; a Standard Schema decides by itself.',
          ),
        ),
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
  repairs: true,
  codes,
  instruct: ({ schema, lines }, locale) => {
    const messages = jsonMessages[locale]
    return (lines ? messages.lines : messages).instruct(schema !== undefined)
  },
  prepare: ({ schema, draft, format, ...options }) =>
    prepareJson(schema === undefined ? undefined : prepareValueCheck(schema, { draft, format }), options),
})

/** The options beside the schema. */
interface ValueOptions {
  readonly lines: boolean
  readonly partial: boolean
  readonly deliver?: 'answer' | 'value' | undefined
  readonly duplicateKeys: 'warn' | 'error'
  readonly allow?: readonly RepairClass[] | undefined
}

/** Binds the options to what values are compared with. */
export function prepareJson(
  check: ValueCheck | undefined,
  { lines, partial, deliver, duplicateKeys, allow }: ValueOptions,
): PreparedValidator<JsonCode> {
  const wantsBare = ({ context }: CheckContext): boolean => (deliver ?? context.deliver) === 'value'
  const shapes = check?.json && new SchemaShapes(check.json.compiled)
  const rules = (context: CheckContext): JsonRules => ({
    check,
    partial,
    duplicateKeys: duplicateKeys === 'warn' ? 'warning' : 'error',
    bare: wantsBare(context),
    locale: context.locale,
  })
  const classes = {
    allow: allow ?? (partial ? repairClasses : (['lossless', 'lossy'] as const)),
    lastResort: allow ? [] : ['guess' as const],
  }
  const told = { schema: check?.json?.schema }
  if (lines)
    return {
      ...classes,
      ...told,
      lines,
      edits: repairClasses,
      check: (answer, context) => inspectLines(answer, rules(context)),
      incremental: (context, told) => new LineStream({ ...rules(context), allow: told?.allowNow ?? [], edits: told?.edits === true }),
      value: (allow) => new LineValues({ check, partial, duplicateKeys: 'warning', bare: false, locale: 'en', allow }),
      repair: (answer, issues, context, allowed) => repairLines(answer, issues, rules(context), allowed),
    }
  return {
    ...classes,
    ...told,
    check: (answer, context) => inspectJson(answer, rules(context)),
    incremental: (context, told) => {
      // Where a guess may be made, another value that follows could be taken, so nothing is wrong for good.
      const mayStop = told !== undefined && !told.allowNow.includes('guess')
      const bare = wantsBare(context)
      if (!mayStop) return new JsonProseStream(bare)
      const guide = shapes && new ValueGuide(shapes, told.allowNow)
      return new JsonProseStream(bare, new DoomWatch(check, guide, told.allowNow, context.locale))
    },
    value: (classes) => new JsonValueReader(shapes && new ValueGuide(shapes, classes), { allow: classes, accepts: check?.accepts }),
    repair: (answer, issues, context, allowed) => {
      const bare = wantsBare(context)
      const mismatched = check?.decides || issues.some(({ code }) => code === 'SCHEMA_MISMATCH')
      const json = check?.json ? { json: check.json } : {}
      return repairJsonAnswer(answer, { partial, allowed, mismatched, bare, accepts: check?.accepts, ...json })
    },
  }
}

/** The validator, which infers the type of the value from its schema, or takes it explicitly: `json<Person>({ schema })`. */
export interface JsonValidator extends Pick<typeof definition, 'definition'> {
  (options: JsonOptions, terms: Pick<Check, 'name' | 'severity' | 'when'>): Check<never>
  <Schema extends StandardSchema>(options: JsonOptions & { readonly lines: true; readonly schema: Schema }): Check<OutputOf<Schema>[]>
  <Schema extends StandardJsonSchema>(options: JsonOptions & { readonly lines: true; readonly schema: Schema }): Check<InputOf<Schema>[]>
  <Value = unknown>(options: JsonOptions & { readonly lines: true }): Check<Value[]>
  <Schema extends StandardSchema>(options: JsonOptions & { readonly lines?: false; readonly schema: Schema }): Check<OutputOf<Schema>>
  <Schema extends StandardJsonSchema>(options: JsonOptions & { readonly lines?: false; readonly schema: Schema }): Check<InputOf<Schema>>
  <Value = unknown>(options?: JsonOptions): Check<Value>
}

/** The options of the validator as they are written. */
export type JsonOptions = InputOf<(typeof definition.definition)['options']>

/** Fails when the answer neither is nor holds one JSON value, or the value does not match the schema. */
export const json: JsonValidator = definition
