import { quote } from '../../contract/quote.ts'
import { applyEdits } from '../../repairs/apply.ts'
import { repairBySchema } from '../../repairs/schema-guided/repair-by-schema.ts'
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts'
import type { Draft } from '../../schema/draft.ts'
import type { SchemaProblem } from '../../schema/problem.ts'
import { checkStandard, isStandardSchema, type StandardCheck, type StandardLike } from '../../schema/standard.ts'
import { type GuidingSchema, guidingSchema, writtenSchema } from '../../schema/standard-json.ts'
import { budgetFor } from '../../schema/step-budget.ts'
import type { AcceptedKinds } from '../shared/prose-values.ts'
import { withinBudget } from '../shared/too-complex-value.ts'
import { acceptedKinds } from './accepted-kinds.ts'
import { rejectMisspelt } from './misspelt-keywords.ts'

/** What a value is checked against. */
export interface ValueCheck {
  /** The JSON Schema that guides repairs: the given one, or that of a library schema. */
  readonly json: GuidingSchema | undefined
  /** Which of the values amid prose it may take. */
  readonly accepts: AcceptedKinds
  /** Whether that JSON Schema decides; if not, it guides only the repair of a value that the library rejects. */
  readonly decides: boolean
  /** What is wrong with the value of a JSON text, and the value as the schema hands it on: with the defaults that it declares. */
  validate(value: unknown, text: string): CheckedValue | Promise<CheckedValue>
}

/** A value that was checked. */
export interface CheckedValue {
  readonly problems: readonly SchemaProblem[]
  readonly value: unknown
}

/** Prepares a JSON Schema or a Standard Schema; throws a SchemaError for one that cannot be used, and a ConfigurationError for misspelt keywords. */
export function prepareValueCheck(schema: unknown, draft: Draft | undefined): ValueCheck {
  if (isStandardSchema(schema)) return checkByLibrary(schema)
  const written = writtenSchema(schema)
  if (written === schema) rejectMisspelt(schema)
  return checkByJsonSchema(written, draft)
}

/** The library decides, also where its JSON Schema says less or more. */
function checkByLibrary(schema: StandardLike): ValueCheck {
  const json = guidingSchema(schema, quote)
  return {
    json,
    accepts: acceptedKinds(json?.compiled),
    decides: false,
    validate(value) {
      const handOn = (checked: StandardCheck): CheckedValue =>
        checked.ok ? { problems: [], value: checked.value } : { problems: checked.problems, value }
      const checked = checkStandard(schema, value)
      return checked instanceof Promise ? checked.then(handOn) : handOn(checked)
    },
  }
}

function checkByJsonSchema(schema: unknown, draft: Draft | undefined): ValueCheck {
  const compiled = compileSchema(schema, { draft, quote })
  const hasDefaults = declaresDefaults(schema)
  return {
    json: { schema, compiled },
    accepts: acceptedKinds(compiled),
    decides: true,
    validate(value, text) {
      const problems = withinBudget(
        () => compiled.validate(value, budgetFor(text.length)),
        () => compiled.validate(null, budgetFor(text.length)),
      )
      return { problems, value: problems.length > 0 || !hasDefaults ? value : withDefaults(text, schema, compiled) }
    },
  }
}

/** Whether it is worth looking for defaults. */
function declaresDefaults(schema: unknown): boolean {
  return JSON.stringify(schema).includes('"default"')
}

function withDefaults(text: string, schema: unknown, compiled: CompiledSchema): unknown {
  const edits = repairBySchema(text, schema, { compiled, defaults: 'all' }).filter(({ rule }) => rule === 'fill-default')
  const filled = applyEdits(
    text,
    edits.map(({ start, before, after }) => ({ span: { start, end: start + before.length }, before, after })),
  )
  return JSON.parse(filled ?? text)
}
