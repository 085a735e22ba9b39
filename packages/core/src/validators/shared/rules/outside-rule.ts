import type { Answer } from '../../../answer/answer.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import type { OutsideRule, RuleRequest } from '../../../contract/rules/rule-port.ts'
import type { CheckContext, PreparedValidator } from '../../../contract/validator.ts'
import { ValidatorUnavailable } from '../../../contract/validator-unavailable.ts'
import type { AskedRule } from './rule-options.ts'
import { requestOf } from './rule-request.ts'
import { type RuleVerdict, readVerdict } from './rule-verdict.ts'

/** How a rule outside of this process is asked. */
export interface RuleAsking {
  /** The code of issues that have none. */
  readonly code: string
  /** What to do when there is no port. */
  readonly advice: string
}

/** Makes the check and the repair of a rule that lives outside of this process. */
export function prepareRule(asked: AskedRule, asks: OutsideRule, { code, advice }: RuleAsking): PreparedValidator {
  const { name } = asked
  /** Repairs that came with a verdict, so that the rule is asked once. */
  const offered = new WeakMap<Answer, readonly Certificate[]>()

  async function judge(answer: Answer, context: CheckContext): Promise<RuleVerdict> {
    const reply = ask(asks, requestOf(asked, answer, context), context)
    if (reply === undefined) throw new ValidatorUnavailable(`the rule ${name} cannot be checked here: ${advice}`)
    const verdict = readVerdict(await reply, answer, { name, code, locale: context.locale })
    offered.set(answer, verdict.repairs)
    return verdict
  }

  return {
    name,
    asks,
    async *check(answer, context) {
      yield* (await judge(answer, context)).issues
    },
    async *repair(answer, _issues, context) {
      yield* offered.get(answer) ?? (await judge(answer, context)).repairs
    },
  }
}

/** The reply of a rule; undefined when nothing here can ask it. */
function ask(asks: OutsideRule, request: RuleRequest, { ports, signal }: CheckContext): Promise<unknown> | undefined {
  return asks.port === 'remote' ? ports.remote?.ask(asks.rule, request, signal) : ports.command?.ask(asks.rule, request, signal)
}
