import { type Clock, ConfigurationError, type ConfigurationProblem, type Ports, type Runner } from '@stickler/core'
import { systemClock, unknownName } from '@stickler/core/internal'
import type { AskModel } from '@stickler/core/validators'
import type { PipelineDefinition } from '@stickler/presets/internal'
import type { NodeListener } from '../reply/node-trace.ts'
import type { Retriever } from '../retrieval/retriever.ts'
import { type ContractOf, contractsByType } from './contracts.ts'
import type { Fits } from './fitting.ts'
import { type RelevanceJudge, relevanceJudge } from './relevance-judge.ts'

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

/** Options with their defaults. */
export interface Needs {
  readonly pipeline: PipelineDefinition
  readonly contractOf: ContractOf
  readonly retriever: Retriever | undefined
  readonly relevance: RelevanceJudge
  readonly classifier: AskModel | undefined
  readonly reformulation: AskModel | undefined
  readonly onNode: NodeListener | undefined
  /** Of the request, when it has limits. */
  readonly fits: Fits | undefined
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

/** Every option, so that none can be forgotten here. */
const known: Readonly<Record<keyof PipelineOptions, true>> = {
  pipeline: true,
  retriever: true,
  chunks: true,
  relevance: true,
  classifier: true,
  reformulation: true,
  timeoutMs: true,
  clock: true,
  onNode: true,
  runner: true,
  parser: true,
  onUnvalidated: true,
}

/** Reads the options of preparation, or throws a ConfigurationError. */
export function readNeeds(options: PrepareOptions): Needs {
  refuse(problemsOf(options))
  const { pipeline, chunks = 8, timeoutMs = 10_000, clock = systemClock } = options
  const { retriever, relevance = relevanceJudge(), classifier, reformulation, onNode } = options
  return {
    pipeline,
    contractOf: contractsByType(pipeline),
    chunks,
    timeoutMs,
    clock,
    retriever,
    relevance,
    classifier,
    reformulation,
    onNode,
    fits: undefined,
  }
}

/**
 * Reads the options of a whole pipeline, or throws a ConfigurationError: an answer must not stay
 * unvalidated by mistake.
 */
export function readGenerationNeeds(options: PipelineOptions): GenerationNeeds {
  const { runner, parser, onUnvalidated = () => {} } = options
  const problems = problemsOf(options)
  if (!has(runner, 'run')) problems.push({ path: ['runner'], message: 'is missing, or is not a runner: it has no function `run`' })
  if (parser !== undefined && !has(parser, 'parse')) problems.push({ path: ['parser'], message: noParser(parser) })
  refuse(problems)
  return { ...readNeeds(options), runner, ports: parser === undefined ? {} : { parser }, onUnvalidated }
}

// Callers without types may pass anything.
function problemsOf(options: PrepareOptions): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => ({ path: [], message: unknownName('option', name, Object.keys(known)) }))
  const { pipeline, retriever, relevance, classifier, reformulation, chunks = 8, timeoutMs = 1 } = options
  if (typeof pipeline !== 'object' || pipeline === null)
    problems.push({ path: ['pipeline'], message: 'is missing; use an entry of `pipelines`' })
  if (retriever !== undefined && !has(retriever, 'retrieve'))
    problems.push({ path: ['retriever'], message: 'is not a retriever: it has no function `retrieve`' })
  for (const [name, given] of Object.entries({ relevance, classifier, reformulation }))
    if (given !== undefined && typeof given !== 'function') problems.push({ path: [name], message: 'is not a function' })
  if (!Number.isInteger(chunks) || chunks < 1) problems.push({ path: ['chunks'], message: 'must be a whole number from 1' })
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) problems.push({ path: ['timeoutMs'], message: 'must be a number above 0' })
  return problems
}

function refuse(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function noParser(given: unknown): string {
  return has(given, 'then') ? 'is a promise; await it, as in `await openParser(…)`' : 'is not a parser: it has no function `parse`'
}

function has(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}
