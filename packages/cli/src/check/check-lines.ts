import { isDeepStrictEqual } from 'node:util'
import { buildContract, type Contract, type ContractInput, settle } from '@stickler/core'
import {
  type AnswerRequest,
  errorMessage,
  isFields,
  readAnswerRequest,
  readShape,
  repairClasses,
  repairField,
  requestContract,
  requireAnswer,
  settledData,
} from '@stickler/core/internal'
import * as z from 'zod'
import { buildChosen, overlay } from '../config/choose-contract.ts'
import type { CheckInput } from '../config/contract-options.ts'
import type { Plugins } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { type Input, readInput } from '../inputs/inputs.ts'
import { longestLine, readLines } from '../inputs/lines.ts'
import { safeJson } from '../terminal/printable.ts'
import type { CheckJob } from './check-job.ts'
import { inOrder } from './in-order.ts'
import { type CheckLine, checkLinesOf } from './recorded-lines.ts'

const ownShape = {
  checks: z.array(z.unknown(), 'must be a list'),
  repair: repairField,
  allow: z.array(z.enum(repairClasses, `must be one of ${repairClasses.join(', ')}`), 'must be a list'),
  root: z.string('must be a string'),
}

/** One line of input: an answer, and overrides of its contract. */
interface CheckRequest extends AnswerRequest {
  readonly root: string | undefined
  /** Whether the line has its own checks. */
  readonly hasChecks: boolean
  /** Merges the line's overrides into the contract of the command line. */
  overlay(base: ContractInput): ContractInput
}

/** Reads a line's object; throws an Error that describes the problem. */
export function readRequest(line: unknown): CheckRequest {
  if (!isFields(line)) throw new Error('a line must be a JSON object')
  const { checks, repair, allow, root } = readShape(ownShape, line, wrong)
  return {
    ...readAnswerRequest(withoutOwn(line), wrong),
    root,
    hasChecks: checks !== undefined,
    overlay: (base) =>
      overlay(base, {
        ...(checks ? { check: checks as CheckInput[] } : {}),
        ...(repair ? { repair } : {}),
        ...(allow ? { allow } : {}),
      }),
  }
}

/** The rest of a line, which may itself be a call. */
function withoutOwn(line: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(line).filter(([key]) => !Object.hasOwn(ownShape, key)))
}

function wrong(param: string, message: string): Error {
  return new Error(`${param}: ${message}`)
}

/** Recorded traffic repeats few contracts; the limit keeps a file with many from filling memory. */
const most = 256

/** Builds contracts and caches the most recently used. */
class ContractCache {
  readonly #plugins: Plugins
  readonly #built = new Map<string, Contract>()

  constructor(plugins: Plugins) {
    this.#plugins = plugins
  }

  /** The contract for an input of plain data; throws a ConfigurationError when it is invalid. */
  async get(input: ContractInput): Promise<Contract> {
    const key = JSON.stringify(input)
    const found = this.#built.get(key) ?? buildContract(input, await this.#plugins.catalogueFor([input]))
    this.#built.delete(key)
    this.#built.set(key, found)
    const oldest = this.#built.size > most ? this.#built.keys().next() : undefined
    if (oldest?.value !== undefined) this.#built.delete(oldest.value)
    return found
  }
}

/** Lines that are processed concurrently. */
const bounds = { items: 16, weight: 16 * 1024 * 1024, weigh: ({ bytes }: CheckLine) => bytes }

/** Reads one JSON object per line and writes one result per line, in the same order; a bad line yields only an error result. */
export async function checkLines(job: CheckJob): Promise<void> {
  const { cli, tally, progress } = job
  // Lines may have their own checks, but a named contract must still be valid.
  if (job.choice.input !== undefined) buildChosen(job.choice, cli.note)
  const contracts = new ContractCache(job.choice.plugins)
  let bytes = 0
  let written = 0
  for (const input of job.inputs) {
    const end = new AbortController()
    async function* counted(): AsyncGenerator<Uint8Array | string> {
      for await (const chunk of readInput(input, AbortSignal.any([cli.signal, end.signal]))) {
        bytes += chunk.length
        yield chunk
      }
    }
    try {
      const lines = checkLinesOf(readLines(counted(), longestLine), input.name)
      for await (const result of inOrder(lines, (line) => judge(line, input, job, contracts), bounds)) {
        if (cli.stdout.isTerminal) progress.clear()
        await cli.stdout.write(result)
        progress.update(bytes, ++written)
      }
    } catch (error) {
      cli.signal.throwIfAborted()
      if (!(error instanceof UsageError)) throw error
      tally.addFault()
      cli.note(error.message)
    } finally {
      // After a failure the input may still wait for more.
      end.abort()
    }
  }
}

async function judge(line: CheckLine, input: Input, job: CheckJob, contracts: ContractCache): Promise<string> {
  let id: unknown = null
  try {
    if ('problem' in line) throw new Error(line.problem)
    const value = 'value' in line ? line.value : parse(line.text)
    id = 'value' in line ? line.id : idOf(value)
    return `${safeJson({ id, ...(await check(value, job, contracts)) })}\n`
  } catch (error) {
    job.tally.addBadLine()
    const message = errorMessage(error).replaceAll('\n', '; ')
    const file = job.inputs.length > 1 ? { file: input.name } : {}
    return `${errorLine(id, { ...file, line: line.number, error: { message } })}\n`
  }
}

async function check(value: unknown, { cli, choice, portsFor, executorFor, tally }: CheckJob, contracts: ContractCache): Promise<object> {
  const request = readRequest(value)
  if (choice.input === undefined && !request.hasChecks) throw new Error(`the line has no checks; ${choice.advice}`)
  const contract = await contracts.get(request.overlay(choice.input ?? {}))
  if (request.hasChecks) refuseOwnRules(contract, choice.input?.checks ?? [])
  requireAnswer(request, contract)
  const settled = await settle(requestContract(contract, request.asked), request.answer, {
    context: request.context,
    ports: portsFor(request.root),
    executor: executorFor(request.root),
    signal: cli.signal,
    ...(choice.input && choice.request && { request: choice.request }),
  })
  tally.add(settled)
  return settledData(settled, request.answer, request.rawToolCalls)
}

/** Lines may come from untrusted sources, so they must not decide which programs or services are called. */
function refuseOwnRules({ validators }: Contract, known: readonly unknown[]): void {
  const own = validators.find(
    ({ prepared, definition: { name }, written }) =>
      prepared.asks !== undefined && !known.some((check) => isFields(check) && isDeepStrictEqual(check[name], written)),
  )
  if (own !== undefined)
    throw new Error(`checks: ${own.definition.name} must be part of the contract; a line can only choose it by its name`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new Error(`the line is not JSON: ${errorMessage(error)}`)
  }
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'id') ? ((value as { id?: unknown }).id ?? null) : null
}

/** An id nested too deeply to be serialized must not fail its line. */
function errorLine(id: unknown, rest: object): string {
  try {
    return safeJson({ id, ...rest })
  } catch {
    return safeJson({ id: null, ...rest })
  }
}
