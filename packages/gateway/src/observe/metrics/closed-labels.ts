import { nodeNames } from '@stickler/ask/pipeline'
import { catalogue, engineCodes, type FailureKind } from '@stickler/core'
import { relevanceStrategies } from '@stickler/core/relevance'
import { ownWays, type RunRecord } from '../../records/run/run-record.ts'

const statuses = ['valid', 'repaired', 'unresolved', 'unchecked', 'failed', 'unenforced'] as const satisfies readonly RunRecord['status'][]
const kinds = [
  'aborted',
  'deadline',
  'timeout',
  'connection',
  'http',
  'protocol',
  'exit',
  'empty',
  'crash',
  'circuit_open',
] as const satisfies readonly (FailureKind | 'circuit_open')[]
/** The names under which the engine itself reports issues. */
const ofEngine = ['truncation', 'continuation']
/** Repair rules have no list; a plausible name is accepted until there are this many. */
const mostRules = 128

/** The names that a configuration has. */
export interface ConfiguredNames {
  readonly contracts: Iterable<string>
  readonly models: Iterable<string>
  readonly upstreams: Iterable<string>
  /** Validators and codes of the contracts beyond the built-in ones. */
  readonly validators?: Iterable<string>
  readonly codes?: Iterable<string>
  /** The APIs that are served. */
  readonly apis?: Iterable<string>
}

/** Maps any word to a closed set: unknown ones become `other`, empty ones `none`. */
export type Label = (word: string | undefined) => string

/** The values that labels may have. */
export interface ClosedLabels {
  readonly contract: Label
  readonly model: Label
  readonly upstream: Label
  readonly api: Label
  readonly status: Label
  readonly kind: Label
  readonly validator: Label
  readonly code: Label
  readonly rule: Label
  readonly node: Label
  readonly strategy: Label
}

/** Makes the labels of a configuration; no client input can become a new value. */
export function closedLabels({ contracts, models, upstreams, apis = [], validators = [], codes = [] }: ConfiguredNames): ClosedLabels {
  return {
    contract: among([...contracts, ...Object.keys(catalogue.presets).map((name) => `preset:${name}`)]),
    model: among(models),
    upstream: among(upstreams),
    api: among([...ownWays, ...apis]),
    status: among(statuses),
    kind: among(kinds),
    validator: among([...ofEngine, ...catalogue.validators.map(({ definition }) => definition.name), ...validators]),
    code: among([
      ...Object.keys(engineCodes),
      ...catalogue.validators.flatMap(({ definition }) => Object.keys(definition.codes)),
      ...codes,
    ]),
    rule: firstSeen(mostRules),
    node: among(nodeNames),
    strategy: among(relevanceStrategies),
  }
}

function among(words: Iterable<string>): Label {
  const known = new Set(words)
  return (word) => (word === undefined || word === '' ? 'none' : known.has(word) ? word : 'other')
}

function firstSeen(most: number): Label {
  const seen = new Set<string>()
  return (word) => {
    if (word === undefined || word === '') return 'none'
    if (seen.has(word)) return word
    if (seen.size >= most || !/^[a-z][a-z0-9_-]{0,63}$/.test(word)) return 'other'
    seen.add(word)
    return word
  }
}
