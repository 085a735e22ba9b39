import type { JsonMember } from '../../schema/values/json-tree.ts'
import type { Plan, SchemaEdit } from './edit.ts'

/** The plan for one member of an object. */
export interface MemberPlan {
  readonly member: JsonMember
  readonly key: string
  /** The property that it was probably meant for, though it cannot be made that. */
  readonly meant?: string
  readonly plan: Plan
  readonly edits: readonly SchemaEdit[]
  readonly removed: boolean
}
