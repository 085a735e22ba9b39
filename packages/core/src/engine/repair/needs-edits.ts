import { allowedRepairs } from '../../contract/allowed-repairs.ts'
import type { Contract } from '../../contract/contract.ts'
import { isTooComplex } from '../check/complexity.ts'
import type { Report } from '../check/report.ts'
import type { Decision } from '../decide/decide.ts'

/** Whether an answer that is delivered or given up without a repair, as one that was cut off is, has to be edited all the same. */
export function needsEdits({ validators, policy }: Contract, { issues }: Report, { action, reason }: Decision): boolean {
  if (action === 'retry' || action === 'repair' || reason === 'shadow' || policy.repair === 'never') return false
  return validators.some(({ name, prepared }) => {
    const { edits } = prepared
    if (edits === undefined || !allowedRepairs(prepared, policy).usual.includes(edits)) return false
    return issues.some((issue) => issue.validator === name && issue.severity === 'error' && !isTooComplex(issue))
  })
}
