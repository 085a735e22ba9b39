import { type OutsideRule, systemClock } from '@stickler/core'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { createRuleClient } from './rule-client.ts'

/** The probe of one rule. */
export interface RuleProbe {
  readonly asks: OutsideRule
  /** Rejects when the rule is unavailable. */
  readonly result: Promise<{ readonly ok: true }>
}

/** Probes the external rules, all at a time; no answer is checked. */
export function probeRules(config: GatewayConfig, signal: AbortSignal): readonly RuleProbe[] {
  const ruleClient = createRuleClient(config, { clock: systemClock })
  const probes = ruleClient.rules.map((asks) => ({ asks, result: ruleClient.probe(asks, signal).then(() => ({ ok: true }) as const) }))
  void Promise.allSettled(probes.map(({ result }) => result)).then(() => ruleClient.close())
  return probes
}
