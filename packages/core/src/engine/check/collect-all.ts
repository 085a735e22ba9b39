import type { Answer } from '../../answer/answer.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Finding } from '../../contract/issue.ts'
import { CheckScope } from './check-scope.ts'
import type { CheckSetting } from './check-setting.ts'
import { collectFindings } from './collect-findings.ts'
import type { Collected } from './report.ts'

/** Collects what all validators of a contract find, in their order; at once when none of them has to wait for something. */
export function collectAll(
  contract: Contract,
  answer: Answer,
  setting: CheckSetting,
): readonly Collected<Finding>[] | Promise<readonly Collected<Finding>[]> {
  const { validators, policy } = contract
  const elsewhere = setting.executor?.check(contract, answer, setting)
  const results: (Collected<Finding> | Promise<Collected<Finding>>)[] = []
  let scope: CheckScope | undefined
  let isLater = false
  for (const validator of validators) {
    const taken = elsewhere?.[results.length]
    if (taken !== undefined) {
      isLater = true
      results.push(taken)
      continue
    }
    scope ??= new CheckScope(policy.locale, setting)
    const result = collectFindings(validator, (context) => validator.prepared.check(answer, context), scope, policy.timeoutMs)
    const waits = result instanceof Promise
    isLater ||= waits
    // Most checks are over at once and leave no trace in their scope.
    if (waits || !scope.fresh) scope = undefined
    results.push(result)
  }
  return isLater ? Promise.all(results) : (results as Collected<Finding>[])
}
