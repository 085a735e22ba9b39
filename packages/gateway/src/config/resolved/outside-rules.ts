import type { Contract } from '@stickler/core'
import type { OutsideRule } from '@stickler/core/internal'
import { usualEnvironment } from '@stickler/node/internal/config'
import type { Environment } from '../../upstreams/settings/environment.ts'
import { withSecrets } from '../../upstreams/settings/hidden-fields.ts'

/** The settings of external rules. */
export interface RulesConfig {
  /** Full path of the working folder of programs. */
  readonly folder: string
  /** Secret: the variables that rules name, and those that programs usually need. */
  readonly env: Environment
}

/** The external rules that contracts use, each once. */
export function outsideRules(contracts: ReadonlyMap<string, Contract>): readonly OutsideRule[] {
  const rules = new Map<string, OutsideRule>()
  for (const { validators } of contracts.values()) {
    for (const { prepared } of validators) if (prepared.asks !== undefined) rules.set(JSON.stringify(prepared.asks), prepared.asks)
  }
  return [...rules.values()]
}

/** The variables with secrets that rules send to services. */
export function secretVariables(rules: readonly OutsideRule[]): string[] {
  return rules.flatMap(({ port, rule }) =>
    port === 'remote' ? [...(rule.keyEnv === undefined ? [] : [rule.keyEnv]), ...Object.values(rule.headersEnv ?? {})] : [],
  )
}

/** Fills in what the rules of contracts need. */
export function resolveRules(contracts: ReadonlyMap<string, Contract>, folder: string, env: Environment): RulesConfig {
  const rules = outsideRules(contracts)
  const passed = rules.flatMap(({ port, rule }) => (port === 'command' ? rule.env : []))
  return withSecrets({ folder }, { env: usualEnvironment(env, { pass: [...passed, ...secretVariables(rules)] }) })
}

/** The values that rules send to services, which must never be repeated. */
export function ruleSecrets(contracts: ReadonlyMap<string, Contract>, rules: RulesConfig | undefined): string[] {
  return secretVariables(outsideRules(contracts)).flatMap((name) => rules?.env[name] ?? [])
}
