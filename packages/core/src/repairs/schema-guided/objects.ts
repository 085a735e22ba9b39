import type { RepairClass } from '../../contract/certificate.ts'
import type { JsonMember } from '../../json/json-tree.ts'
import { isObject, type JsonValue, own, setOwn } from '../../json/json-value.ts'
import type { Plan, SchemaEdit } from './edit.ts'
import { choicesOf, declaredKeys, isClosed, requiredKeys, schemasOf, shapesOf } from './shape.ts'
import { sameWord, similarWord } from './similar.ts'
import type { Planner, ShapedTask } from './task.ts'

/** The plan for an object that stays one: keys renamed, members repaired or removed, defaults filled in. */
export function planObject(planner: Planner, task: ShapedTask): Plan {
  const { node, wants } = task
  const byKey = new Map((node.members ?? []).map((member) => [member.key, member]))
  // Which of two equal keys was meant is not for us to say.
  if (byKey.size < (node.members?.length ?? 0)) return { edits: [], value: node.value, valid: false }
  const renamed = renamings(planner, task, byKey)
  const required = requiredKeys(task.shape)
  const members = (node.members ?? []).map((member) => renamed.get(member.key) ?? planMember(planner, task, member, required))
  const counted = members.filter(({ removed }) => !removed)
  const present = new Set(counted.flatMap(({ key, meant = key }) => [key, meant]))
  const filled = fillings(planner, task, present, members)
  const value = objectOf(counted, filled)
  const repaired = members.flatMap((one) => (one.removed ? [] : one.edits))
  if (planner.accepts(wants, value))
    return { edits: [...repaired, ...removalEdits(planner, task, members), ...filled.map(({ edit }) => edit)], value, valid: true }
  // Nothing is removed from or added to an object that would still be wrong.
  return { edits: repaired, value: objectOf(members, []), valid: false }
}

function objectOf(members: readonly MemberPlan[], filled: readonly Filling[]): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const { key, plan } of members) setOwn(value, key, plan.value)
  for (const { key, value: added } of filled) setOwn(value, key, added)
  return value
}

function planMember(planner: Planner, task: ShapedTask, member: JsonMember, required: ReadonlySet<string>): MemberPlan {
  const { key, node } = member
  const wants = schemasOf(planner.options.interpreter, task.shape, key)
  if (!wants) return { member, key, plan: untouched(member), edits: [], removed: isClosed(task.shape) && planner.allows('lossy') }
  const plan = planner.plan({ text: task.text, node, wants, path: [...task.path, key] })
  // Null for something that need not be there says that it is not there.
  const isAbsent = !plan.valid && node.kind === 'null' && !required.has(key) && planner.allows(nullClass(planner))
  const instead = plan.valid || isAbsent ? undefined : planDefault(planner, task, member)
  return { member, key, plan: instead ?? plan, edits: (instead ?? plan).edits, removed: isAbsent }
}

/** The declared default in place of a value that cannot be made valid. */
function planDefault(planner: Planner, task: ShapedTask, { key, node }: JsonMember): Plan | undefined {
  const { start, end } = node
  const source = planner.options.defaultForInvalid && planner.allows('guess') ? valueFor(planner, task, key, false) : undefined
  if (source === undefined) return undefined
  const change = { before: task.text.slice(start, end), after: JSON.stringify(source.value) }
  return { edits: [{ rule: source.rule, class: 'guess', start, ...change, path: [...task.path, key] }], value: source.value, valid: true }
}

function untouched({ node }: JsonMember): Plan {
  return { edits: [], value: node.value, valid: true }
}

function removalEdits(planner: Planner, { text, path, shape }: ShapedTask, members: readonly MemberPlan[]): SchemaEdit[] {
  const parts = members.map(({ member }) => ({ start: member.keyStart, end: member.node.end }))
  const ranges = removalRanges(
    parts,
    members.map(({ removed }) => removed),
  )
  return members.flatMap(({ member, spelling = 'lossless', meant }, index): SchemaEdit[] => {
    const range = ranges[index]
    if (!range) return []
    const [start, end] = range
    const isDeclared = meant !== undefined || schemasOf(planner.options.interpreter, shape, member.key) !== undefined
    const dropped =
      member.node.kind === 'null' && isDeclared
        ? ({ rule: 'drop-null', class: spelling === 'guess' ? spelling : nullClass(planner) } as const)
        : ({ rule: 'remove-property', class: 'lossy' } as const)
    return [{ ...dropped, start, before: text.slice(start, end), after: '', path: [...path, member.key] }]
  })
}

/** A property that is filled in. */
interface Filling {
  readonly key: string
  readonly value: JsonValue
  readonly edit: SchemaEdit
}

/** The properties that are missing and can be had from the schema: a declared default, or the only value that is allowed. */
function fillings(planner: Planner, task: ShapedTask, present: ReadonlySet<string>, members: readonly MemberPlan[]): Filling[] {
  const { node, path, shape } = task
  const required = requiredKeys(shape)
  const lastKept = members.findLast(({ removed }) => !removed)
  const start = lastKept?.member.node.end ?? members.at(-1)?.member.node.end ?? node.start + 1
  let isFirst = lastKept === undefined
  const found: Filling[] = []
  for (const key of declaredKeys(shape)) {
    if (present.has(key) || (planner.options.defaults === 'required' && !required.has(key))) continue
    const source = valueFor(planner, task, key, required.has(key))
    if (!source || !planner.allows(source.class)) continue
    const after = `${isFirst ? '' : ', '}${JSON.stringify(key)}: ${JSON.stringify(source.value)}`
    isFirst = false
    found.push({
      key,
      value: source.value,
      edit: { rule: source.rule, class: source.class, start, before: '', after, path: [...path, key] },
    })
  }
  return found
}

type Source = Pick<SchemaEdit, 'rule' | 'class'> & { readonly value: JsonValue }

function valueFor(planner: Planner, { shape }: ShapedTask, key: string, isRequired: boolean): Source | undefined {
  const { interpreter } = planner.options
  const wants = schemasOf(interpreter, shape, key) ?? []
  const shapes = shapesOf(interpreter, wants, undefined)
  const defaults = shapes
    .flat()
    .flatMap(({ schema }) => (isObject(schema) && Object.hasOwn(schema, 'default') ? [own(schema, 'default')] : []))
  const [value] = defaults
  // A default that violates its own schema is useless.
  if (value !== undefined && planner.accepts(wants, value)) return { rule: 'fill-default', class: 'lossless', value }
  const [only, ...others] = shapes.length === 1 ? (choicesOf(shapes[0] ?? []) ?? []) : []
  if (!isRequired || only === undefined || others.length > 0 || !planner.accepts(wants, only)) return undefined
  // The schema leaves no choice, but the model did not say it: a constant may express consent.
  return { rule: 'fill-const', class: 'guess', value: only }
}

/** The members whose keys are misspelt, by key: each has one right spelling that is absent; renamed when that is allowed and the value fits there. */
function renamings(planner: Planner, task: ShapedTask, members: ReadonlyMap<string, JsonMember>): Map<string, MemberPlan> {
  const { shape, declared } = task
  const required = requiredKeys(shape)
  const missing = declaredKeys(shape).filter((key) => !members.has(key) && (required.has(key) || isClosed(shape)))
  const unknown = [...members.values()].filter(({ key }) => !declared.has(key) && !schemasOf(planner.options.interpreter, shape, key))
  const renamed = new Map<string, MemberPlan>()
  if (missing.length === 0 || planner.options.aliases?.size === 0 || !planner.spend(unknown.length * missing.length)) return renamed
  planner.options.interpreter.charge(unknown.length * comparing(missing))
  const { aliases } = planner.options
  const known: Find = (word, keys, textOf) => keys.find((key) => aliases?.get(word) === textOf(key) || aliases?.get(textOf(key)) === word)
  const same = new Map([...(aliases === undefined ? [] : match(unknown, missing, known)), ...match(unknown, missing, sameWord)])
  const restUnknown = unknown.filter((member) => !same.has(member))
  const taken = new Set(same.values())
  const similar = match(
    restUnknown,
    missing.filter((key) => !taken.has(key)),
    similarWord,
  )
  for (const [member, key] of same) add(member, key, 'lossless')
  for (const [member, key] of similar) add(member, key, 'guess')
  return renamed

  function add(member: JsonMember, key: string, kind: RepairClass): void {
    const path = [...task.path, member.key]
    const wants = schemasOf(planner.options.interpreter, shape, key) ?? []
    const plan = planner.plan({ text: task.text, node: member.node, wants, path })
    if (!plan.valid && member.node.kind === 'null' && !required.has(key) && planner.allows(kind) && planner.allows(nullClass(planner))) {
      renamed.set(member.key, { member, key: member.key, meant: key, spelling: kind, plan, edits: [], removed: true })
      return
    }
    if (!planner.allows(kind) || !plan.valid) {
      // A probable misspelling of a property must not be removed as unknown.
      renamed.set(member.key, {
        member,
        key: member.key,
        meant: key,
        plan: { edits: [], value: member.node.value, valid: false },
        edits: [],
        removed: false,
      })
      return
    }
    const { keyStart: start, keyEnd } = member
    const rename = {
      rule: 'rename-key',
      class: kind,
      start,
      before: task.text.slice(start, keyEnd),
      after: JSON.stringify(key),
      path,
    } as const
    renamed.set(member.key, { member, key, plan, edits: [rename, ...plan.edits], removed: false })
  }
}

/** What it costs to drop null where nothing need be. */
function nullClass({ options }: Planner): RepairClass {
  return options.nullIsAbsent ? 'lossless' : 'lossy'
}

/** Steps that comparing one word with some others letter by letter is worth. */
function comparing(words: readonly string[]): number {
  return words.reduce((sum, { length }) => sum + 16 + ((Math.min(length, 64) ** 2) >> 3), 0)
}

type Find = <Candidate>(word: string, candidates: readonly Candidate[], textOf: (candidate: Candidate) => string) => Candidate | undefined

/** Pairs of which each is the only one for the other. */
function match(members: readonly JsonMember[], keys: readonly string[], find: Find): Map<JsonMember, string> {
  const pairs = new Map<JsonMember, string>()
  for (const member of members) {
    const key = find(member.key, keys, (one) => one)
    if (key !== undefined && find(key, members, (one) => one.key) === member) pairs.set(member, key)
  }
  return pairs
}

/** The start and end of something in a list between brackets. */
interface ListPart {
  readonly start: number
  readonly end: number
}

/** The ranges that take some parts out of a comma-separated list: one for each, none of which overlap. */
export function removalRanges(
  parts: readonly ListPart[],
  removed: readonly boolean[],
): (readonly [start: number, end: number] | undefined)[] {
  const lastKept = removed.lastIndexOf(false)
  return parts.map((part, index) => {
    if (!removed[index]) return undefined
    const next = parts[index + 1]
    // Before something that stays, the comma after goes; at the end, the comma before.
    if (index < lastKept || (lastKept < 0 && next)) return [part.start, next?.start ?? part.end]
    const previous = parts[index - 1]
    return lastKept < 0 || !previous ? [part.start, part.end] : [previous.end, part.end]
  })
}

/** The plan for one member of an object. */
interface MemberPlan {
  readonly member: JsonMember
  readonly key: string
  /** The property that it was probably meant for, though it cannot be made that. */
  readonly meant?: string
  /** How certain it is that the property was meant, where null is dropped from it. */
  readonly spelling?: RepairClass
  readonly plan: Plan
  readonly edits: readonly SchemaEdit[]
  readonly removed: boolean
}
