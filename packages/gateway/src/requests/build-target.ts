import { type Contract, contract as writtenContract } from '@stickler/core'
import { usesParser, withSoundCalls } from '@stickler/core/internal'
import { nodeFiles } from '@stickler/node/internal/files'
import type { GatewayConfig, RouteConfig } from '../config/resolved/gateway-config.ts'
import { hasOwnPrice, targetPrices } from '../config/resolved/targets.ts'
import type { CalledPlace } from '../records/run/run-facts.ts'
import { failover } from '../upstreams/resilience/failover.ts'
import { placeOf } from '../upstreams/upstream-place.ts'
import { highestPrice } from './budgets/highest-price.ts'
import { embedderOf, type Parts, upstreamOf } from './parts.ts'
import { type HeldContract, withinDeadline } from './pipeline/bound-contract.ts'
import { pipelineOf } from './pipeline/pipeline-target.ts'
import type { Target } from './target.ts'

/** The contract where there is none: only the deadline applies. */
export function unenforcedContract(deadlineMs: number): Contract {
  return withinDeadline(writtenContract({ checks: [], mode: 'shadow', stream: 'pass', retries: 0, requestSchema: 'ignore' }), deadlineMs)
}

/**
 * Makes the target of a route: its chain of upstreams, its contract with what the checks need, its
 * limits.
 */
export function targetOf(route: RouteConfig, parts: Parts): Target {
  const { config, clock } = parts
  const places = route.targets.map(({ upstream, model }) => ({
    upstream: upstreamOf(parts, upstream),
    ...(model === undefined ? {} : { model }),
  }))
  const traits = config.upstreams
    .filter(({ name }) => route.targets.some(({ upstream }) => upstream === name))
    .map(({ record }) => record.traits)
  const { pipeline, root, shadow, contracts } = route
  const named = route.contract === undefined ? undefined : config.contracts.get(route.contract)
  const bind = (contract: Contract | undefined, contractName: string): HeldContract => held(contract, contractName, root, parts)
  const bindTrial = (name: string): HeldContract => held(config.contracts.get(name), name, root, parts, 'trialExecutor')
  return {
    model: route.model,
    ...bind(named, route.contract ?? pipeline ?? ''),
    ...(contracts && { contracts: new Map(contracts.map((name) => [name, bind(config.contracts.get(name), name)])) }),
    ...(pipeline === undefined ? {} : pipelineOf(pipeline, bind, parts)),
    ...(shadow === undefined ? {} : { shadow: bindTrial(shadow) }),
    upstream: failover(route.targets[0].upstream, places, { clock }),
    places: placesOf(route.targets, config),
    price: highestPrice(route.targets.flatMap((target) => targetPrices(target, config))),
    hasOwnPrice: route.targets.some((target) => hasOwnPrice(target, config)),
    isAnthropic: traits.every(({ isAnthropic }) => isAnthropic),
    keepsSessions: traits.some(({ keepsSessions }) => keepsSessions),
    readsOnlyText: traits.every(({ readsOnlyText }) => readsOnlyText),
    folder: root,
    exemptTasks: new Set(route.exemptTasks),
    exemptApis: new Set(route.exemptApis),
    tags: route.tags,
    clientTags: route.clientTags,
    errorsAs: route.errorsAs,
    refusalStatus: route.refusalStatus,
    messages: route.messages,
  }
}

/** A contract with what its checks need; `root` is the folder for checks that read files. */
function held(
  contract: Contract | undefined,
  contractName: string,
  root: string | undefined,
  parts: Parts,
  judged: 'executor' | 'trialExecutor' = 'executor',
): HeldContract {
  const { config, unenforced, judging, parsing, ruleClient } = parts
  const parser = contract !== undefined && usesParser(contract)
  return {
    contractName,
    contract: contract === undefined ? unenforced : withinDeadline(withSoundCalls(contract), config.server.deadline),
    ports: {
      ...(root === undefined ? {} : { files: nodeFiles(root) }),
      ...(parser ? { parser: parsing.port } : {}),
      ...ruleClient.ports,
      ...embedderOf(parts),
    },
    executor: judging[judged]({ ...(root === undefined ? {} : { root }), ...(parser ? { parser } : {}) }, false),
  }
}

/** Where calls of upstreams go, for spans. */
export function placesOf(
  targets: readonly { readonly upstream: string; readonly model?: string | undefined }[],
  { upstreams }: Pick<GatewayConfig, 'upstreams'>,
): readonly CalledPlace[] {
  return targets.flatMap(({ upstream, model }) => {
    const config = upstreams.find(({ name }) => name === upstream)
    return config === undefined ? [] : [{ ...placeOf(config), ...(model === undefined ? {} : { model }) }]
  })
}
