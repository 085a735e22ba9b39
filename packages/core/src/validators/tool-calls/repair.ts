import { Answer } from '../../answer/answer.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import { isFields } from '../../answer/tool-shapes/fields.ts'
import type { ToolDefinition } from '../../answer/tool-shapes/tool-definition.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { isArray, isObject } from '../../json/json-value.ts'
import { changedText } from '../../repairs/apply.ts'
import { lenientText } from '../../repairs/json/lenient-text.ts'
import { repairJson } from '../../repairs/json/repair-json.ts'
import type { SchemaEdit } from '../../repairs/schema-guided/edit.ts'
import { repairBySchema } from '../../repairs/schema-guided/repair-by-schema.ts'
import type { SchemaCache } from '../../schema/cache.ts'
import type { CompiledSchema } from '../../schema/compile.ts'
import { pathTo } from '../../schema/problem.ts'
import { type RawSchema, withSubschemas } from '../../schema/read/subschemas.ts'
import { budgetFor, type StepBudget } from '../../schema/step-budget.ts'
import { locateJson } from '../shared/locate-json.ts'
import { isJson } from '../shared/read-json.ts'
import type { CheckedTool } from '../shared/tool-schema.ts'
import { type ArgumentFault, argumentFaults } from './faults/argument-faults.ts'
import { PathSet, verdictOf } from './faults/standard-faults.ts'
import type { OfferedTools } from './offered-tools.ts'

/** What tool calls are repaired by. */
interface ToolCallRepair {
  readonly tools: OfferedTools
  readonly schemas: SchemaCache
  /** Right names of arguments by wrong ones that are known. */
  readonly aliases?: ReadonlyMap<string, string> | undefined
  /** Whether the answer was cut off: closers may be missing at its end only where it is known that it was not. */
  readonly end: 'whole' | 'cut' | 'unknown'
}

type Change = Pick<Certificate, 'rule' | 'class' | 'before' | 'after'> & {
  readonly start: number
  readonly path?: readonly (string | number)[]
}

/** Yields the changes that make tool calls right: their names, the JSON of their arguments, and then what the schema wants. */
export function* repairToolCalls(calls: readonly ToolCall[], rules: ToolCallRepair): Generator<Certificate> {
  // One for all calls: many small ones cost as much as a large one.
  const budget = budgetFor(calls.reduce((sum, call) => sum + call.arguments.length, 0))
  for (const [index, call] of calls.entries()) {
    for (const change of nameChanges(call, rules)) yield certify(change, index, 'name')
    // Another call shows that this one was not cut off.
    const end = index < calls.length - 1 ? 'whole' : rules.end
    for (const change of argumentChanges(call, { ...rules, end }, budget)) yield certify(change, index, 'arguments')
  }
}

function certify({ start, path = [], ...change }: Change, call: number, part: 'name' | 'arguments'): Certificate {
  return { ...change, span: { start, end: start + change.before.length }, in: { call, part }, path: ['tool_calls', call, part, ...path] }
}

/** repair: an alias, or the same name in another spelling; one that is only similar is a guess */
function* nameChanges(call: ToolCall, { tools }: ToolCallRepair): Generator<Change> {
  const { name } = call
  const meant = tools.get(call) ? undefined : tools.suggest(name)
  if (meant === undefined || name === '') return
  yield {
    rule: `tool-name-${meant.kind}`,
    class: meant.kind === 'similar' ? 'guess' : 'lossless',
    start: 0,
    before: name,
    after: meant.name,
  }
}

function* argumentChanges(call: ToolCall, rules: ToolCallRepair, budget: StepBudget): Generator<Change> {
  const text = call.arguments
  const tool = rules.tools.get(call) ?? rules.tools.get({ ...call, name: rules.tools.suggest(call.name)?.name ?? '' })
  if (!isJson(text, { start: 0, end: text.length })) {
    yield* startsWithPair(text, tool) ? wrapPairs(text, tool, rules, budget) : repairSyntax(text, rules.end === 'whole')
    return
  }
  const value: unknown = JSON.parse(text)
  if (typeof value === 'string') yield* unstringify(text, value)
  if (tool && isFields(value)) yield* fitSchema(text, tool, rules, budget)
}

/** repair: JSON inside a JSON string */
function* unstringify(text: string, inner: string): Generator<Change> {
  const corrected = isJson(inner, { start: 0, end: inner.length }) ? inner : lenientText(inner)
  if (corrected !== undefined && isFields(JSON.parse(corrected)))
    yield { rule: 'unstringify', class: 'lossless', start: 0, before: text, after: corrected }
}

/** repair: pairs without the braces around them; what ends inside a value is never completed */
function* wrapPairs(text: string, tool: CheckedTool | undefined, rules: ToolCallRepair, budget: StepBudget): Generator<Change> {
  for (const closer of rules.end === 'cut' ? [''] : ['', '}']) {
    const wrapped = `{${text}${closer}`
    const read = repairJson(wrapped)
    const isWhole = read.ok && isFields(read.value) && read.cut === 'none' && read.end === wrapped.trimEnd().length
    // What has to be closed or completed inside of the pairs was cut off.
    if (!isWhole || read.edits.some(({ rule }) => rule === 'missing-closer' || rule === 'missing-value')) continue
    const isComplete = closer === '' || (rules.end === 'whole' && completeEnd.test(text.trimEnd()))
    if (!isComplete && (text.trimEnd().endsWith(',') || !fits(read.value, tool, rules, budget))) continue
    const edits = read.edits.map((edit): Change => ({ ...edit, start: edit.start - 1 }))
    // Without either brace the end may be missing too.
    const wrap = { rule: 'wrap-pairs', class: closer === '' ? 'lossless' : 'guess', before: '' } as const
    yield { ...wrap, start: 0, after: '{' }
    yield* edits
    if (closer !== '') yield { ...wrap, start: text.length, after: closer }
    return
  }
}

/** Whether nothing is wrong with arguments. */
function fits(value: unknown, tool: CheckedTool | undefined, { schemas }: ToolCallRepair, budget: StepBudget): boolean {
  try {
    if (tool === undefined || !isFields(value) || !argumentFaults(tool.schema, value, schemas, budget).next().done) return false
    const { faults, failure } = verdictOf(tool, value)
    return faults.length === 0 && failure === undefined
  } catch {
    // By a schema that cannot be used, nothing fits.
    return false
  }
}

/** Longer keys are none. */
const longestKey = 512
// backtracks: the text is cut to the longest key
const firstKey = /^(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|“[^”]*”)|([\w$-]+))\s*:/

/** How a pair ends whose value is complete; a number or literal may go on. */
const completeEnd = /["'”\]}]$/

/** Words may occur before a colon as well: a key without quotes has to be one of the tool. */
function startsWithPair(text: string, tool: ToolDefinition | undefined): boolean {
  const [, quoted, name = ''] = firstKey.exec(text.slice(0, longestKey).trimStart()) ?? []
  return quoted !== undefined || (isFields(tool?.schema.properties) && Object.hasOwn(tool.schema.properties, name))
}

/** repair: a fence or words around the object, and its syntax; what ends inside a value is never completed, and closers at the end are a guess */
function* repairSyntax(text: string, mayClose: boolean): Generator<Change> {
  const place = locateJson(new Answer(text))
  if (place === undefined) return
  const { start, end } = place.region
  const read = repairJson(text.slice(start, end))
  if (!read.ok || !isFields(read.value) || (read.cut !== 'none' && !mayClose)) return
  const behind = start + read.end
  const [before, after] = [text.slice(0, start), text.slice(behind)]
  // A second object may be the one that was meant.
  if (/[{[]/.test(before + after)) return
  const isOpen = read.cut !== 'none'
  const kind = hasWords(before + after) ? 'lossy' : 'lossless'
  if (before !== '') yield { rule: 'drop-before', class: kind, start: 0, before, after: '' }
  for (const edit of read.edits) yield { ...edit, class: isOpen ? 'guess' : edit.class, start: start + edit.start }
  if (after !== '') yield { rule: 'drop-behind', class: kind, start: behind, before: after, after: '' }
}

/** Whether the text around an object says something; fences and comments do not. */
function hasWords(around: string): boolean {
  return /\p{L}{2}/u.test(around.replace(/```\w*|\/\*[^*]*\*\/|\/\/[^\n]*/g, ''))
}

/** repair: values in the type that the schema wants, keys and words as it spells them, defaults that it declares */
function* fitSchema(text: string, tool: CheckedTool, { schemas, aliases }: ToolCallRepair, budget: StepBudget): Generator<Change> {
  const value = JSON.parse(text)
  try {
    const verdict = verdictOf(tool, value)
    if (tool.unusable !== undefined) return
    const faults = [...argumentFaults(tool.schema, value, schemas, budget)].filter((fault) => verdict.counts(fault))
    if (faults.length === 0) return
    const open = schemas.compile(tool.schema, { asMeant: true })
    if (open.flaw) return
    const plan = (compiled: CompiledSchema): readonly SchemaEdit[] => {
      const options = { compiled, readLenient: lenientText, budget, aliases, nullIsAbsent: true, defaultForInvalid: true }
      const sure = repairBySchema(text, undefined, { ...options, allow: ['lossless'] })
      return sure.length > 0 ? sure : repairBySchema(text, undefined, { ...options, allow: ['lossless', 'lossy', 'guess'] })
    }
    const remarks = faults.filter(({ finding }) => finding.keyword === 'undeclaredProperties')
    const remarked = new PathSet(remarks.map(({ path }) => path))
    const renaming = remarks.length > 0 ? plan(schemas.compile(closed(open.interpreter.root.schema, remarks), { asMeant: true })) : []
    // An item of a list is not dropped for a key that is not declared.
    const isOpen = renaming.length === 0 || renaming.some(({ rule, path }) => rule === 'drop-item' && remarked.hasInside(path))
    const edits = isOpen ? plan(open) : renaming
    // What is right stays as it is, whatever else a plan would change.
    const wrong = new PathSet(faults.map(({ finding }) => pathTo(finding.place)))
    const needed = edits.filter(({ path }) => wrong.touches(path))
    const after = changedText(text, needed)
    if (after === undefined || !isJson(after, { start: 0, end: after.length })) return
    // What the tool accepts is not traded for what it refuses.
    if (verdict.faults.length > 0 || verdictOf(tool, JSON.parse(after)).faults.length === 0) yield* needed
  } catch {
    // A schema that cannot be used guides nothing; the check says so.
  }
}

/** The schema without room for other properties in each of its parts that was given some which none of its branches declares. */
function closed(schema: RawSchema, remarks: readonly ArgumentFault[]): RawSchema {
  const declared = new Map(remarks.map(({ finding: { params } }) => [params.schema, params.declared as ReadonlySet<string>]))
  const close = (part: RawSchema): RawSchema => {
    const names = declared.get(part)
    if (!isObject(part)) return part
    const { $ref, ...own } = withSubschemas(part, close)
    if (names === undefined || own.additionalProperties !== undefined) return $ref === undefined ? own : { ...own, $ref }
    const properties = Object.fromEntries([...names].map((name) => [name, true]))
    // In draft 7, a reference disables all other keywords beside it.
    const branches = $ref === undefined ? {} : { allOf: [...(isArray(own.allOf) ? own.allOf : []), { $ref }] }
    return {
      ...own,
      ...branches,
      additionalProperties: false,
      properties: { ...properties, ...(isObject(own.properties) ? own.properties : {}) },
    }
  }
  return close(schema)
}
