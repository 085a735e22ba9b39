import type { ProviderRules } from '../../../../e2e/support/provider-rules.ts'
import type { Behaviour } from './programmable-upstream.ts'
import { answeringBody } from './programmable-upstream-answers.ts'

/** Answers as another behaviour does what the rules accept. */
export function ruled(rules: ProviderRules, behaviour: Behaviour): Behaviour {
  return (exchange) => {
    const { json = {}, body } = exchange.request
    const refusal = rules(json, body)
    return refusal === undefined ? behaviour(exchange) : answeringBody(refusal.body as object, { status: refusal.status })(exchange)
  }
}
