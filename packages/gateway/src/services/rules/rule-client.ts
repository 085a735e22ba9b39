import type { Clock, Ports } from '@stickler/core'
import { asRunnerFailure, type OutsideRule, systemClock } from '@stickler/core/internal'
import { readPiece } from '@stickler/core/internal/relay'
import { type RuleConnection, type RuleTarget, wholeBody } from '@stickler/core/internal/services'
import { type RuleListener, remoteRules } from '@stickler/core/validators'
import { commandRules } from '@stickler/node'
import { readiness } from '@stickler/node/internal'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { outsideRules } from '../../config/resolved/outside-rules.ts'
import { createTransport } from '../../upstreams/transport/transport.ts'

/** Most connections to one service; further calls are queued. */
const connections = 256

/** The client of a service that checks answers, with pooled connections. */
function ruleConnection({ url, headers, timeoutMs, maxBytes }: RuleTarget, clock: Clock): RuleConnection {
  const { origin, pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const settings = { baseUrl: origin, headers, timeouts: { totalMs: timeoutMs }, maxResponseBytes: maxBytes, connections }
  const transport = createTransport(settings, { accept: 'application/json' }, { clock })
  return {
    async post(body, signal) {
      const response = await transport.send({ method: 'POST', path, body, stream: false }, { signal })
      try {
        return {
          status: response.status,
          contentType: response.contentType,
          body: await wholeBody({ read: () => readPiece(response.body) }),
        }
      } finally {
        response.transfer.finish()
      }
    },
    async probe(signal) {
      try {
        const response = await transport.send({ method: 'HEAD', path, stream: false }, { signal })
        response.transfer.finish()
      } catch (thrown) {
        // A server that rejects such a request is reachable.
        if (asRunnerFailure(thrown).kind !== 'http') throw thrown
      }
    },
    close: () => transport.close(),
  }
}

/** The dependencies of external rules. */
export interface RuleClientPorts {
  readonly clock: Clock
  /** Called when a circuit opens or closes, and when a process fails. */
  readonly onRule?: RuleListener
}

/** The external rules that the contracts of a configuration use. */
export interface RuleClient {
  readonly ports: Pick<Ports, 'remote' | 'command'>
  readonly rules: readonly OutsideRule[]
  /** Rejects when a rule is unavailable; no answer is checked. */
  probe(rule: OutsideRule, signal: AbortSignal): Promise<void>
  /** Whether all rules can be expected to respond. */
  ready(): Promise<boolean>
  /** Ends processes when they are idle. */
  retire(): void
  /** Ends all processes and closes all connections. */
  close(): Promise<void>
}

/**
 * Makes the client of a configuration's rules; nothing is started or connected before it is needed.
 */
export function createRuleClient(
  { contracts, rules: settings }: Pick<GatewayConfig, 'contracts' | 'rules'>,
  ports: RuleClientPorts,
): RuleClient {
  const { clock, onRule } = ports
  const rules = outsideRules(contracts)
  const told = onRule === undefined ? {} : { onEvent: onRule }
  const { env = {}, folder } = settings ?? {}
  const remote = remoteRules({ env, clock, connect: (target) => ruleConnection(target, clock), ...told })
  const command = commandRules({ env, clock, ...(folder === undefined ? {} : { folder }), ...told })

  async function probe(asks: OutsideRule, signal: AbortSignal): Promise<void> {
    if (asks.port === 'remote') await remote.probe(asks.rule, signal)
    else command.probe(asks.rule)
  }

  const isOpen = (asks: OutsideRule): boolean => (asks.port === 'remote' ? remote.state(asks.rule) : command.state(asks.rule)) === 'open'

  return {
    ports: rules.length === 0 ? {} : { remote, command },
    rules,
    probe,
    ready: readiness(
      (signal) => Promise.all(rules.map((rule) => probe(rule, signal))),
      clock,
      () => rules.some(isOpen),
    ),
    retire: () => command.retire(),
    async close() {
      await Promise.all([remote.close(), command.close()])
    },
  }
}

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
