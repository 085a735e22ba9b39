import type { Clock, Contract, Ports } from '@stickler/core'
import type { GatewayConfig } from '../config/resolved/gateway-config.ts'
import type { Judging } from '../services/judging/judging.ts'
import type { Parsing } from '../services/parsing/parsing.ts'
import type { Retrieving } from '../services/retrieving/retrieving.ts'
import { lazyEmbedder } from '../services/retrieving/retrieving.ts'
import type { RuleClient } from '../services/rules/rule-client.ts'
import type { Upstream } from '../upstreams/upstream.ts'

/** The parts of a configuration that routes are built from. */
export interface Parts {
  readonly config: GatewayConfig
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly judging: Judging
  readonly parsing: Parsing
  readonly ruleClient: RuleClient
  /** Where passages come from; absent when none are configured. */
  readonly retrieving: Retrieving | undefined
  /** The contract where there is none. */
  readonly unenforced: Contract
  readonly clock: Clock
}

/** The upstream of a name; the configuration's references have been checked. */
export function upstreamOf({ upstreams }: Pick<Parts, 'upstreams'>, name: string): Upstream {
  const found = upstreams.get(name)
  if (found === undefined) throw new Error(`no upstream ${name}`)
  return found
}

/** What validators compare meanings with, where vectors are available. */
export function embedderOf({ retrieving }: Pick<Parts, 'retrieving'>): Pick<Ports, 'embedder'> {
  return retrieving === undefined ? {} : { embedder: lazyEmbedder(retrieving) }
}
