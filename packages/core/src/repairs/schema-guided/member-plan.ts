import type { RepairClass } from '../../contract/certificate.ts'
import type { JsonMember } from '../../json/json-tree.ts'
import type { Plan, SchemaEdit } from './edit.ts'

/** The plan for one member of an object. */
export interface MemberPlan {
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
