import { type AskPrice, capabilitiesOf } from '@stickler/ask'
import { type Clock, type Contract, type Ports, contract as writtenContract } from '@stickler/core'
import { nodeFiles } from '@stickler/core/node'
import type { Executor } from '@stickler/core/remote'
import type { Price } from '@stickler/core/runners'
import { withSoundCalls } from '@stickler/core/runners'
import type { AskTarget, AskTargets } from './apis/ask/ask-settings.ts'
import type { RouteSettings } from './apis/dependencies.ts'
import { finishReasonsOf } from './config/resolved/finish-reasons-of.ts'
import type { GatewayConfig, RouteConfig, UpstreamConfig } from './config/resolved/gateway-config.ts'
import type { ModelChoice } from './config/resolved/retrieval-config.ts'
import { targetPrices } from './config/resolved/route-prices.ts'
import { dearest } from './enforcement/budgets/dearest.ts'
import { createJudging, type Judging, type JudgingPorts } from './enforcement/judging/judging.ts'
import { parserChecks, usesParser } from './enforcement/parsing/parser-checks.ts'
import { createParsing, type Parsing, type ParsingPorts } from './enforcement/parsing/parsing.ts'
import type { HeldContract } from './enforcement/preparing/held-contract.ts'
import { heldContracts } from './enforcement/preparing/held-contracts.ts'
import { type HelperModel, type HelperModels, helperTokens } from './enforcement/preparing/helper-calls.ts'
import { createPipelineTarget } from './enforcement/preparing/pipeline-target.ts'
import { withinDeadline } from './enforcement/preparing/within-deadline.ts'
import { lazyEmbedder } from './enforcement/retrieving/lazy-embedder.ts'
import { createRetrieving, type Retrieving, type RetrievingPorts } from './enforcement/retrieving/retrieving.ts'
import type { Target } from './enforcement/target.ts'
import { createUpstream, type UpstreamPorts, type UpstreamSettings, upstreamTraits } from './upstreams/create-upstream.ts'
import { failover } from './upstreams/resilience/failover.ts'
import type { Upstream } from './upstreams/upstream.ts'

/** Everything that a configuration means for requests, built once; a request keeps the one that it began with. */
export interface Snapshot {
  readonly config: GatewayConfig
  readonly routes: RouteSettings
  readonly ask: Pick<AskTargets, 'targets' | 'limits' | 'caching' | 'keep' | 'executor' | 'pipeline'> | undefined
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly judging: Judging
  readonly parsing: Parsing
  /** Where passages come from; absent when none are configured. */
  readonly retrieving: Retrieving | undefined
  /** The checks of each contract that need the parser. */
  readonly parserChecks: ReadonlyMap<string, ReadonlySet<string>>
  /** For answers that clients send to be checked. */
  readonly checking: { readonly executor: Executor; readonly ports: Ports }
}

/** What building a snapshot needs. */
export interface SnapshotPorts extends UpstreamPorts, Omit<JudgingPorts, 'clock' | 'parser'>, ParsingPorts, RetrievingPorts {
  readonly clock: Clock
}

/** What outlives a reload that does not change it. */
export type Lasting = Pick<Snapshot, 'parsing' | 'retrieving'>

/** Builds what requests need from a configuration, with the parser and the index that its settings name. */
export function takeSnapshot(config: GatewayConfig, ports: SnapshotPorts, lasting = createLasting(config, ports)): Snapshot {
  const { parsing, retrieving } = lasting
  const upstreams = new Map(config.upstreams.map((upstream) => [upstream.name, createUpstream(settingsOf(upstream), ports)]))
  const judging = createJudging(config.server, { ...ports, parser: parsing.port })
  const { deadlineMs, heartbeatMs } = config.server
  const unenforced = withinDeadline(writtenContract({ checks: [], mode: 'shadow', stream: 'pass', retries: 0 }), deadlineMs)
  const targets = new Map(
    config.routes.map((route) => [route.model, targetOf(route, config, { upstreams, unenforced, judging, parsing, retrieving }, ports)]),
  )
  const any = targets.get('*')
  return {
    config,
    upstreams,
    judging,
    parsing,
    retrieving,
    parserChecks: parserChecks(heldContracts(config)),
    checking: { executor: judging.executor({ parser: true }, true), ports: { parser: parsing.port, ...embedderOf(retrieving) } },
    routes: {
      find: (model) => (model === '*' ? undefined : (targets.get(model) ?? any)),
      models: config.routes.map(({ model }) => model).filter((model) => model !== '*'),
      unenforced,
      keepText: config.store.keepText,
      heartbeatMs,
    },
    ask: askOf(config, { upstreams, unenforced, judging, parsing, retrieving }, ports),
  }
}

function createLasting({ parser, retrieval }: GatewayConfig, ports: SnapshotPorts): Lasting {
  return { parsing: createParsing(parser, ports), retrieving: retrieval && createRetrieving(retrieval, ports) }
}

function embedderOf(retrieving: Retrieving | undefined): Pick<Ports, 'embedder'> {
  return retrieving === undefined ? {} : { embedder: lazyEmbedder(retrieving) }
}

interface TargetParts extends Pick<Snapshot, 'upstreams' | 'judging' | 'parsing' | 'retrieving'> {
  readonly unenforced: Contract
}

function targetOf(
  route: RouteConfig,
  config: GatewayConfig,
  { upstreams, unenforced, judging, parsing, retrieving }: TargetParts,
  { clock }: SnapshotPorts,
): Target {
  const places = route.targets.map(({ upstream, model }) => ({
    upstream: known(upstreams, upstream),
    ...(model === undefined ? {} : { model }),
  }))
  const traits = config.upstreams
    .filter(({ name }) => route.targets.some(({ upstream }) => upstream === name))
    .map(({ kind }) => upstreamTraits[kind])
  const { root } = route
  const named = route.contract === undefined ? undefined : config.contracts.get(route.contract)
  const { deadlineMs } = config.server
  const bind = (contract: Contract | undefined, contractName: string): HeldContract => {
    const parser = contract !== undefined && usesParser(contract)
    return {
      contractName,
      contract: contract === undefined ? unenforced : withinDeadline(withSoundCalls(contract), deadlineMs),
      ports: {
        ...(root === undefined ? {} : { files: nodeFiles(root) }),
        ...(parser ? { parser: parsing.port } : {}),
        ...embedderOf(retrieving),
      },
      executor: judging.executor({ ...(root === undefined ? {} : { root }), ...(parser ? { parser } : {}) }, false),
    }
  }
  const { pipeline } = route
  const timeoutMs = Math.min(usualStepMs, deadlineMs)
  return {
    model: route.model,
    ...bind(named, route.contract ?? pipeline ?? ''),
    ...(pipeline === undefined || retrieving === undefined
      ? {}
      : { pipeline: createPipelineTarget(pipeline, { retrieving, helpers: helpersOf(config, upstreams), clock, timeoutMs, bind }) }),
    upstream: failover(route.targets[0].upstream, places, { clock }),
    price: dearest(route.targets.flatMap((target) => targetPrices(target, config))),
    isAnthropic: traits.every(({ isAnthropic }) => isAnthropic),
    keepsSessions: traits.some(({ keepsSessions }) => keepsSessions),
    readsOnlyText: traits.every(({ readsOnlyText }) => readsOnlyText),
    folder: root,
    exemptTasks: new Set(route.exemptTasks),
    exemptApis: new Set(route.exemptApis),
    errorsAs: route.errorsAs,
    messages: route.messages,
  }
}

/** Most milliseconds of one step of a pipeline. */
const usualStepMs = 10_000

/** The models that pipelines ask before they generate. */
function helpersOf(config: GatewayConfig, upstreams: ReadonlyMap<string, Upstream>): HelperModels {
  const helper = (choice: ModelChoice | undefined): HelperModel | undefined => {
    if (choice === undefined) return undefined
    const written = config.upstreams.find(({ name }) => name === choice.upstream)
    const { provider = '', capabilities = {} } = written ?? {}
    const { temperature } = capabilitiesOf(provider, { [provider]: definedOf(capabilities) })
    const model = choice.model ?? askedModel(written, choice.upstream)
    return {
      upstream: known(upstreams, choice.upstream),
      request: { model, stream: false, max_tokens: helperTokens, ...(temperature ? { temperature: 0 } : {}) },
      price: dearest(targetPrices({ upstream: choice.upstream, model }, config)),
    }
  }
  const { classifier, reformulation, relevance } = config.retrieval ?? {}
  return definedOf({
    classifier: helper(classifier),
    reformulation: helper(reformulation),
    relevance: helper(relevance?.strategy === 'llm' ? relevance.model : undefined),
  })
}

function askOf(config: GatewayConfig, parts: TargetParts, { clock }: SnapshotPorts): Snapshot['ask'] {
  const { ask, upstreams: written } = config
  const { upstreams, judging } = parts
  if (ask === undefined) return undefined
  const { cache, limits, audit } = ask
  return {
    targets: ask.upstreams.map((name): AskTarget => {
      const config = written.find((one) => one.name === name)
      const { provider = name, providerName = name, capabilities = {}, price } = config ?? {}
      return {
        name: providerName,
        alias: name,
        model: askedModel(config, name),
        models: new Map([...(config?.models ?? [])].map(([model, own]) => [model, perToken(own)])),
        upstream: known(upstreams, name),
        capabilities: capabilitiesOf(provider, { [provider]: definedOf(capabilities) }),
        ...(price === undefined ? {} : { price: perToken(price) }),
      }
    }),
    limits: definedOf(limits),
    caching: { enabled: cache.enabled, defaultTtlSeconds: cache.ttlSeconds },
    keep: audit,
    executor: judging.executor({}, false),
    ...askPipelineOf(config, parts, clock),
  }
}

function askPipelineOf(
  config: GatewayConfig,
  { upstreams, judging, parsing, retrieving }: TargetParts,
  clock: Clock,
): Pick<AskTargets, 'pipeline'> {
  const name = config.ask?.pipeline
  if (name === undefined || retrieving === undefined) return {}
  const held = { ports: { parser: parsing.port }, executor: judging.executor({ parser: true }, false) }
  const bind = (contract: Contract, contractName: string): HeldContract => ({ contract, contractName, ...held })
  const timeoutMs = Math.min(usualStepMs, config.server.deadlineMs)
  return {
    pipeline: { ...createPipelineTarget(name, { retrieving, helpers: helpersOf(config, upstreams), clock, timeoutMs, bind }), ...held },
  }
}

/** Commands and scripts have one model, whatever it is called. */
function askedModel(config: UpstreamConfig | undefined, name: string): string {
  const hasChoice = config?.kind === 'openai' || config?.kind === 'anthropic'
  return config?.model ?? (hasChoice ? '' : name)
}

function perToken({ promptPerMillion, completionPerMillion }: Price): AskPrice {
  return { prompt: promptPerMillion / 1e6, completion: completionPerMillion / 1e6 }
}

type Defined<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

function definedOf<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}

function settingsOf(config: UpstreamConfig): UpstreamSettings {
  const { name, price, model } = config
  const priced = definedOf({ price, models: config.models })
  switch (config.kind) {
    case 'openai':
    case 'anthropic': {
      const {
        kind,
        baseUrl,
        apiKey,
        headers,
        timeouts,
        retries,
        apiKeyHeader,
        pathStyle,
        streamUsage,
        answerLimit: maxResponseBytes,
      } = config
      const known = definedOf({ apiKey, apiKeyHeader, pathStyle, streamUsage })
      const finishReasons = finishReasonsOf(config)
      return { kind, name, baseUrl, headers, timeouts, maxResponseBytes, retry: { retries }, finishReasons, ...priced, ...known }
    }
    case 'claude-cli': {
      const { kind, command, args, cwd, timeouts, environment: env, processes: maxProcesses, queue: maxQueue, answerLimit } = config
      const lines = { maxLineBytes: answerLimit, maxOutputBytes: 4 * answerLimit }
      const limit = timeouts.totalMs === undefined ? {} : { timeoutMs: timeouts.totalMs }
      return { kind, name, command, args, env, maxProcesses, maxQueue, ...lines, ...limit, ...definedOf({ model, cwd }) }
    }
    case 'scripted':
      return { kind: 'scripted', name, answers: config.answers, retry: { retries: 0 }, breaker: false }
    case 'extractive':
      return { kind: 'extractive', name, retry: { retries: 0 }, breaker: false }
  }
}

function known(upstreams: ReadonlyMap<string, Upstream>, name: string): Upstream {
  const found = upstreams.get(name)
  // The configuration's references have been checked.
  if (found === undefined) throw new Error(`no upstream ${name}`)
  return found
}
