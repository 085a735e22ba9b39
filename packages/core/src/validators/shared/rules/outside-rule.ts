import type { Answer } from '../../../answer/answer.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import type { RulePort } from '../../../contract/rules/rule-port.ts'
import type { CheckContext, PreparedValidator } from '../../../contract/validator.ts'
import { ValidatorUnavailable } from '../../../contract/validator-unavailable.ts'
import type { AskedRule } from './rule-options.ts'
import { requestOf } from './rule-request.ts'
import { type RuleVerdict, readVerdict } from './rule-verdict.ts'

/** How a rule outside of this process is asked. */
export interface OutsideRule<Rule> {
  /** What its port is told. */
  readonly rule: Rule
  /** The code of issues that have none. */
  readonly code: string
  /** The port that asks it. */
  port(context: CheckContext): RulePort<Rule> | undefined
  /** What to do when there is no port. */
  readonly advice: string
}

/** Makes the check and the repair of a rule that lives outside of this process. */
export function prepareRule<Rule>(asked: AskedRule, { rule, code, port, advice }: OutsideRule<Rule>): PreparedValidator {
  const { name } = asked
  /** Repairs that came with a verdict, so that the rule is asked once. */
  const offered = new WeakMap<Answer, readonly Certificate[]>()

  async function judge(answer: Answer, context: CheckContext): Promise<RuleVerdict> {
    const asking = port(context)
    if (asking === undefined) throw new ValidatorUnavailable(`the rule ${name} cannot be asked here: ${advice}`)
    const reply = await asking.ask(rule, requestOf(asked, answer, context), context.signal)
    const verdict = readVerdict(reply, answer, { name, code, locale: context.locale })
    offered.set(answer, verdict.repairs)
    return verdict
  }

  return {
    name,
    async *check(answer, context) {
      yield* (await judge(answer, context)).issues
    },
    async *repair(answer, _issues, context) {
      yield* offered.get(answer) ?? (await judge(answer, context)).repairs
    },
  }
}
