import type { Clock, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import type { GatewayConfig } from './config/resolved/gateway-config.ts'
import { embedderOf, type Parts } from './requests/parts.ts'
import type { RouteSettings } from './requests/request-ports.ts'
import { targetOf, unenforcedContract } from './requests/target-of.ts'
import { askTargets, type ConfiguredAsk } from './routes/ask/ask-targets.ts'
import { heldContracts } from './services/contracts/held-contracts.ts'
import { createJudging, type JudgingPorts } from './services/judging/judging.ts'
import { parserChecks } from './services/parsing/parser-checks.ts'
import { createParsing, type ParsingPorts } from './services/parsing/parsing.ts'
import { createRetrieving, type RetrievingPorts } from './services/retrieving/retrieving.ts'
import { createRuleClient, type RuleClientPorts } from './services/rules/rule-client.ts'
import { SnapshotUse } from './snapshot-use.ts'
import { createConfigured } from './upstreams/create-upstream.ts'
import type { UpstreamPorts } from './upstreams/kinds/upstream-kind.ts'

/**
 * Everything that requests need of a configuration, built once; a request keeps the one it started
 * with.
 */
export interface Snapshot extends Parts {
  /** The requests that use it. */
  readonly use: SnapshotUse
  readonly routes: RouteSettings
  readonly ask: ConfiguredAsk | undefined
  /** The checks of each contract that need the parser. */
  readonly parserChecks: ReadonlyMap<string, ReadonlySet<string>>
  /** For answers that clients send to be checked. */
  readonly checking: { readonly executor: Executor; readonly ports: Ports }
}

/** What building a snapshot needs. */
export interface SnapshotPorts
  extends UpstreamPorts,
    Omit<JudgingPorts, 'clock' | 'parser' | 'rules'>,
    ParsingPorts,
    RetrievingPorts,
    RuleClientPorts {
  readonly clock: Clock
}

/** What survives a reload that does not change it. */
export type Lasting = Pick<Snapshot, 'parsing' | 'retrieving'>

/** Builds what requests need from a configuration, with the parser and the index that its settings name. */
export function takeSnapshot(config: GatewayConfig, ports: SnapshotPorts, lasting = createLasting(config, ports)): Snapshot {
  const { parsing } = lasting
  const { deadlineMs, heartbeatMs } = config.server
  const ruleClient = createRuleClient(config, ports)
  const parts: Parts = {
    config,
    ...lasting,
    upstreams: new Map(config.upstreams.map((upstream) => [upstream.name, createConfigured(upstream, ports)])),
    ruleClient,
    judging: createJudging(config.server, { ...ports, parser: parsing.port, rules: ruleClient.ports }),
    unenforced: unenforcedContract(deadlineMs),
    clock: ports.clock,
  }
  const use = new SnapshotUse()
  const targets = new Map(config.routes.map((route) => [route.model, targetOf(route, parts)]))
  const any = targets.get('*')
  return {
    ...parts,
    use,
    parserChecks: parserChecks(heldContracts(config)),
    checking: {
      executor: parts.judging.executor({ parser: true }, true),
      ports: { parser: parsing.port, ...parts.ruleClient.ports, ...embedderOf(parts) },
    },
    routes: {
      find: (model) => (model === '*' ? undefined : (targets.get(model) ?? any)),
      models: config.routes.map(({ model }) => model).filter((model) => model !== '*'),
      unenforced: parts.unenforced,
      keepText: config.store.keepText,
      heartbeatMs,
      begin: use.begin,
    },
    ask: askTargets(parts),
  }
}

function createLasting({ parser, retrieval }: GatewayConfig, ports: SnapshotPorts): Lasting {
  return { parsing: createParsing(parser, ports), retrieving: retrieval && createRetrieving(retrieval, ports) }
}
