import type { RepairClass } from '../../contract/certificate.ts'
import { type JsonNode, readJsonTree } from '../../json/json-tree.ts'
import { BoundedInterpreter } from '../../schema/bounded-interpreter.ts'
import { type CompiledSchema, compileSchema, type SchemaOptions } from '../../schema/compile.ts'
import { SchemaError } from '../../schema/schema-error.ts'
import { budgetFor, type StepBudget } from '../../schema/step-budget.ts'
import { changedText, inOrder } from '../apply.ts'
import type { Plan, SchemaEdit } from './edit.ts'
import { BoundedPlanner } from './planner.ts'

/** How to repair by a schema. */
export interface SchemaRepairOptions extends SchemaOptions {
  /** Classes of change that may be made; only `lossless` by default. */
  readonly allow?: readonly RepairClass[] | undefined
  /** Fill in the defaults of properties that are required, or of all; a value that is valid stays as it is unless `all`. */
  readonly defaults?: 'required' | 'all' | undefined
  /** Reads text in a string that is almost JSON as JSON text; undefined when it is not. */
  readonly readLenient?: ((text: string) => string | undefined) | undefined
  /** Right names of properties by wrong ones that are known. */
  readonly aliases?: ReadonlyMap<string, string> | undefined
  /** Whether `null` for a property that need not be there says no more than its absence. */
  readonly nullIsAbsent?: boolean | undefined
  /** Whether the default of a property may replace a value that cannot be made valid, as a guess. */
  readonly defaultForInvalid?: boolean | undefined
  /** The compiled form of the schema, when it is at hand. */
  readonly compiled?: CompiledSchema | undefined
  /** Steps that this repair, and what else it is shared with, may take; in proportion to the text by default. */
  readonly budget?: StepBudget | undefined
}

/** The changes that make a JSON text what its schema wants: sorted, without overlap, each only where the schema asks for it; none when in doubt. */
export function repairBySchema(text: string, schema: unknown, options: SchemaRepairOptions = {}): SchemaEdit[] {
  const compiled = options.compiled ?? compileSchema(schema, options)
  const interpreter = new BoundedInterpreter(compiled.interpreter, options.budget ?? budgetFor(text.length))
  const node = readJsonTree(text)
  if (!node) return []
  const { allow = ['lossless'], defaults = 'required', readLenient, aliases, nullIsAbsent, defaultForInvalid } = options
  const planFor = (json: string, root: JsonNode): Plan =>
    new BoundedPlanner({ interpreter, allow, defaults, readLenient, aliases, nullIsAbsent, defaultForInvalid }).plan({
      text: json,
      node: root,
      wants: [interpreter.root],
      path: [],
    })
  try {
    const { edits, valid } = planFor(text, node)
    if (edits.length === 0) return []
    const after = changedText(text, edits)
    if (after === undefined) return []
    const result = readJsonTree(after)
    // Changes that do not lead to the planned value, or that require more changes, must not be made.
    const isSound = result && (valid ? interpreter.accepts(interpreter.root, result.value) : planFor(after, result).edits.length === 0)
    return isSound ? inOrder(edits) : []
  } catch (error) {
    // Too much to check is too much to repair.
    if (error instanceof SchemaError && error.reason === 'too-costly') return []
    throw error
  }
}
