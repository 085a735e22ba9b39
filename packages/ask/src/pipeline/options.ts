import { type Clock, ConfigurationError, type Ports, type Runner } from '@stickler/core'
import { defined, systemClock, unknownName } from '@stickler/core/internal'
import type { AskModel } from '@stickler/core/validators'
import type { PipelineDefinition } from '@stickler/presets/internal'
import type { NodeListener } from '../reply/node-trace.ts'
import type { Retriever } from '../retrieval/retriever.ts'
import { type ContractOf, contractsByType } from './contracts.ts'
import { type RelevanceJudge, relevanceJudge } from './relevance-judge.ts'
import type { PipelineRequest } from './request.ts'

/** What preparation needs: everything before the generation. */
export interface PrepareOptions {
  /** What the pipeline is for, such as an entry of `pipelines`. */
  readonly pipeline: PipelineDefinition
  /** Retrieves passages; without one there are none. */
  readonly retriever?: Retriever
  /** Most chunks; 8. */
  readonly chunks?: number
  /**
   * Decides whether the retrieved context can answer the query; the lexical strategy, without a
   * model, when absent.
   */
  readonly relevance?: RelevanceJudge
  /** Classifies queries instead of the rules, which still decide when its answer cannot be used. */
  readonly classifier?: AskModel
  /**
   * Rewrites queries for search instead of the deterministic rules, which are used when its answer
   * cannot be.
   */
  readonly reformulation?: AskModel
  /**
   * Maximum milliseconds for one call of the retriever, the judge or a preparing model; 10 000. An
   * embedder or a model of `relevanceJudge` gets four fifths of it, so that the lexical strategy
   * can still decide.
   */
  readonly timeoutMs?: number
  readonly clock?: Clock
  /** Called with every node of every request when it has ended; errors it throws are ignored. */
  readonly onNode?: NodeListener
}

/** What a pipeline that also generates answers needs. */
export interface PipelineOptions extends PrepareOptions {
  /** The model that answers. */
  readonly runner: Runner
  /** Parses generated code; without one no code has a verdict. */
  readonly parser?: Ports['parser']
  /** Called for every answer that is returned without a verdict. */
  readonly onUnvalidated?: () => void
}

/** Options with their defaults; some may be replaced by those of a request. */
export interface Needs extends PrepareOptions, Pick<PipelineRequest, 'fits'> {
  readonly contractOf: ContractOf
  readonly relevance: RelevanceJudge
  readonly chunks: number
  readonly timeoutMs: number
  readonly clock: Clock
}

/** What generating nodes need in addition. */
export interface GenerationNeeds extends Needs {
  readonly runner: Runner
  readonly ports: Ports
  readonly onUnvalidated: () => void
}

type Rule = (given: unknown) => string | undefined

const isFunction: Rule = (given) => (given === undefined || typeof given === 'function' ? undefined : 'is not a function')
const anything: Rule = () => undefined

/** What is wrong with each option, because callers without types may pass anything. */
const rules: Readonly<Record<keyof PipelineOptions, Rule>> = {
  pipeline: (given) => (typeof given === 'object' && given !== null ? undefined : 'is missing; use an entry of `pipelines`'),
  retriever: (given) => (given === undefined || has(given, 'retrieve') ? undefined : 'is not a retriever: it has no function `retrieve`'),
  chunks: (given = 8) => (Number.isInteger(given) && Number(given) >= 1 ? undefined : 'must be a whole number from 1'),
  relevance: isFunction,
  classifier: isFunction,
  reformulation: isFunction,
  timeoutMs: (given = 1) => (Number.isFinite(given) && Number(given) > 0 ? undefined : 'must be a number above 0'),
  clock: anything,
  onNode: anything,
  runner: (given) => (has(given, 'run') ? undefined : 'is missing, or is not a runner: it has no function `run`'),
  parser: (given) => (given === undefined || has(given, 'parse') ? undefined : noParser(given)),
  onUnvalidated: anything,
}

/** Reads the options of preparation, or throws a ConfigurationError. */
export function readNeeds(options: PrepareOptions): Needs {
  const { runner: _runner, parser: _parser, ...preparing } = rules
  return needsFor(options, preparing)
}

/**
 * Reads the options of a whole pipeline, or throws a ConfigurationError: an answer must not stay
 * unvalidated by mistake.
 */
export function readGenerationNeeds(options: PipelineOptions): GenerationNeeds {
  const needs = needsFor(options, rules)
  const { runner, parser, onUnvalidated = () => {} } = options
  return { ...needs, runner, ports: parser === undefined ? {} : { parser }, onUnvalidated }
}

function needsFor(options: PrepareOptions, checked: Readonly<Record<string, Rule>>): Needs {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(rules, name))
  const problems = [
    ...unknown.map((name) => ({ path: [], message: unknownName('option', name, Object.keys(rules)) })),
    ...Object.entries(checked).flatMap(([name, rule]) => {
      const message = rule(Reflect.get(options, name))
      return message === undefined ? [] : [{ path: [name], message }]
    }),
  ]
  if (problems.length > 0) throw new ConfigurationError(problems)
  const usual = { chunks: 8, timeoutMs: 10_000, clock: systemClock, relevance: relevanceJudge() }
  return { ...usual, ...defined(options), contractOf: contractsByType(options.pipeline) }
}

function noParser(given: unknown): string {
  return has(given, 'then') ? 'is a promise; await it, as in `await openParser(…)`' : 'is not a parser: it has no function `parse`'
}

function has(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}
