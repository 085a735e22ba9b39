import type { RepairClass } from '../../contract/certificate.ts'
import type { JsonMember } from '../../json/json-tree.ts'
import type { MemberPlan } from './member-plan.ts'
import { declaredKeys, isClosed, requiredKeys, schemasOf } from './shape.ts'
import { sameWord, similarWord } from './similar.ts'
import type { Planner, ShapedTask } from './task.ts'

/** The members whose keys are misspelt, by key: each has one right spelling that is absent; renamed when that is allowed and the value fits there. */
export function renamings(planner: Planner, task: ShapedTask, members: ReadonlyMap<string, JsonMember>): Map<string, MemberPlan> {
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
export function nullClass({ options }: Planner): RepairClass {
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
