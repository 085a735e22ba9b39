import type { JsonMember } from '../../schema/values/json-tree.ts'
import { setOwn } from '../../schema/values/json-value.ts'
import type { Plan, SchemaEdit } from './edit.ts'
import { type Filling, fillings } from './fillings.ts'
import type { MemberPlan } from './member-plan.ts'
import { removalRanges } from './removal.ts'
import { nullClass, renamings } from './renamings.ts'
import { isClosed, requiredKeys, schemasOf } from './shape.ts'
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
  // Nothing is taken from or added to what stays wrong all the same.
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
  return { member, key, plan, edits: plan.edits, removed: isAbsent }
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
