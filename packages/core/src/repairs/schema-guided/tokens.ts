import type { RepairClass } from '../../contract/certificate.ts'
import { type JsonNode, readJsonTree } from '../../json/json-tree.ts'
import { sameNumber } from '../../json/same-node.ts'
import { jsonNumber } from '../../json/scan.ts'
import { changedText } from '../apply.ts'
import { type Plan, riskiest, type SchemaRule } from './edit.ts'
import { allowsType, choicesOf, type Shape } from './shape.ts'
import { sameWord, similarWord } from './similar.ts'
import type { Planner, ShapedTask } from './task.ts'

/** A way to write a value as what its shape wants. */
interface Rewriting {
  readonly rule: SchemaRule
  readonly class: RepairClass
  readonly after: string
}

/** The ways to write a value of a type that a shape does not want as one of a type that it wants; `written` is its JSON. */
function* rewritings({ kind, value }: JsonNode, written: string, shape: Shape): Generator<Rewriting> {
  // What is wrong with a value of the right type is not its type.
  if (allowsType(shape, kind)) return
  if (kind === 'string') yield* fromString(String(value).trim(), shape)
  if (kind === 'number') yield* fromNumber(Number(value), written, shape)
}

/** The ways to write a value as an allowed one: the same word except for case and punctuation, or a typo away. */
function* matchChoices({ kind, value }: JsonNode, written: string, choices: readonly unknown[]): Generator<Rewriting> {
  if (kind === 'object' || kind === 'array' || kind === 'null') return
  const word = kind === 'string' ? String(value) : written
  const words = choices.filter((choice) => typeof choice === 'string' || typeof choice === 'number' || typeof choice === 'boolean')
  const same = sameWord(word, words, String)
  if (same !== undefined) {
    yield { rule: 'match-enum', class: 'lossless', after: JSON.stringify(same) }
    return
  }
  const texts = words.filter((choice) => typeof choice === 'string')
  const similar = kind === 'string' ? similarWord(word, texts, String) : undefined
  if (similar !== undefined) yield { rule: 'match-enum', class: 'guess', after: JSON.stringify(similar) }
}

const grouped = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

function* fromString(text: string, shape: Shape): Generator<Rewriting> {
  if (allowsType(shape, 'number')) {
    // A leading sign or dot is notation; leading zeros are not: 007 is not a number.
    const plain = text.replace(/^\+(?=[\d.])/, '').replace(/^(-?)\.(?=\d)/, '$10.')
    if (jsonNumber.test(plain)) yield* asNumber(plain, 'lossless')
    else if (grouped.test(text)) yield* asNumber(text.replaceAll(',', ''), 'guess')
  }
  if (allowsType(shape, 'boolean')) {
    const word = text.toLowerCase()
    if (word === 'true' || word === 'false') yield { rule: 'string-to-boolean', class: 'lossless', after: word }
    else if (['yes', 'on', 'y'].includes(word)) yield { rule: 'string-to-boolean', class: 'lossy', after: 'true' }
    else if (['no', 'off', 'n'].includes(word)) yield { rule: 'string-to-boolean', class: 'lossy', after: 'false' }
    else if (word === '1' || word === '0') yield { rule: 'string-to-boolean', class: 'guess', after: String(word === '1') }
  }
  if (allowsType(shape, 'null') && /^(?:null|none|nil)$/i.test(text)) {
    yield { rule: 'string-to-null', class: text === 'null' ? 'lossless' : 'guess', after: 'null' }
  }
}

/** A number too large for its type is none; one with more digits than it keeps loses them. */
function* asNumber(after: string, kind: 'lossless' | 'guess'): Generator<Rewriting> {
  const value = Number(after)
  if (!Number.isFinite(value)) return
  yield { rule: 'string-to-number', class: kind === 'lossless' && !sameNumber(after, String(value)) ? 'lossy' : kind, after }
}

function* fromNumber(value: number, written: string, shape: Shape): Generator<Rewriting> {
  if (allowsType(shape, 'string')) yield { rule: 'number-to-string', class: 'lossless', after: `"${written}"` }
  if (allowsType(shape, 'boolean') && (value === 0 || value === 1))
    yield { rule: 'number-to-boolean', class: 'guess', after: String(value === 1) }
}

/** The plans that write a value as another token: another type, another word of an enum, or the JSON that is in a string. */
export function* planToken(planner: Planner, task: ShapedTask): Generator<Plan> {
  const { node, text, shape } = task
  const choices = choicesOf(shape)
  if (choices && !planner.spend(choices.length)) return
  const written = text.slice(node.start, node.end)
  for (const { rule, class: kind, after } of choices ? matchChoices(node, written, choices) : rewritings(node, written, shape)) {
    yield* replaced(planner, task, rule, kind, after)
  }
  if (node.kind !== 'string' || allowsType(shape, 'string')) return
  if (allowsType(shape, 'object') || allowsType(shape, 'array')) yield* planStringified(planner, task)
}

/** The plan that replaces a value as a whole, when that is allowed and makes it valid. */
export function* replaced(
  planner: Planner,
  task: ShapedTask,
  rule: SchemaRule,
  kind: RepairClass,
  after: string | undefined,
): Generator<Plan> {
  if (after === undefined || !planner.allows(kind)) return
  const { node, text, path, wants } = task
  const value: unknown = JSON.parse(after)
  if (!planner.accepts(wants, value)) return
  yield { edits: [{ rule, class: kind, start: node.start, before: text.slice(node.start, node.end), after, path }], value, valid: true }
}

function* planStringified(planner: Planner, task: ShapedTask): Generator<Plan> {
  const inner = String(task.node.value).trim()
  if (!/^[[{"]/.test(inner)) return
  const strict = readJsonTree(inner)
  const lenient = strict ? undefined : planner.options.readLenient?.(inner)
  const text = lenient ?? inner
  const node = strict ?? (lenient === undefined ? undefined : readJsonTree(lenient))
  if (!node || (node.kind === 'string' && !strict)) return
  const plan = planner.plan({ ...task, text, node })
  if (!plan.valid || plan.value === task.node.value) return
  yield* replaced(planner, task, 'unstringify', riskiest(plan.edits, strict ? 'lossless' : 'guess'), changedText(text, plan.edits))
}
