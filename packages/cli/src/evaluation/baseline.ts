import { resolve } from 'node:path'
import { isFields, parseJson, settledStatuses } from '@stickler/core/internal'
import { openRegularFile } from '@stickler/node/internal/files'
import { UsageError } from '../errors.ts'
import { isMissing, whyNot } from '../files/why-not.ts'
import { writeNamed } from '../files/write-file.ts'
import { readLines } from '../inputs/lines.ts'
import { compareNames } from './counter.ts'
import type { Before, Verdict, VerdictStatus } from './verdict.ts'

const longestLine = 1024 * 1024

/** The verdicts of an evaluation by id, and those that were accepted before: without the answers. */
export class Baseline {
  readonly #verdicts = new Map<string, Before>()
  readonly #accepted: Map<string, Before>
  /** Whether there is a file with verdicts that were accepted. */
  readonly exists: boolean

  private constructor(accepted: Map<string, Before> | undefined) {
    this.#accepted = accepted ?? new Map()
    this.exists = accepted !== undefined
  }

  /** Reads a file, which may be missing. Throws a UsageError for anything else that is not a baseline. */
  static async open(file: string, cwd: string): Promise<Baseline> {
    try {
      const handle = await openRegularFile(resolve(cwd, file))
      return new Baseline(await readBaseline(handle.createReadStream() as AsyncIterable<Uint8Array>, file))
    } catch (error) {
      if (isMissing(error)) return new Baseline(undefined)
      throw error instanceof UsageError ? error : new UsageError(`cannot read ${file}: ${whyNot(error)}`)
    }
  }

  /** Takes the verdict on an answer; what was accepted for it before. Throws a UsageError when two answers have the same id. */
  add(id: string, { status, errors }: Verdict): Before | undefined {
    if (this.#verdicts.has(id)) throw new UsageError(`two answers have the id ${JSON.stringify(id)}, so they cannot be told apart`)
    this.#verdicts.set(id, { status, errors })
    return this.#accepted.get(id)
  }

  /** What was accepted for answers that are gone, in the order of ids. */
  get missing(): readonly (readonly [id: string, before: Before])[] {
    return [...this.#accepted].filter(([id]) => !this.#verdicts.has(id))
  }

  /** Writes the verdicts as the new baseline, in one step: lines of ids, statuses and rules, sorted by id. */
  async write(file: string, cwd: string): Promise<void> {
    const ids = [...this.#verdicts.keys()].sort(compareNames)
    await writeNamed(file, linesOf(ids, this.#verdicts), cwd)
  }
}

async function* linesOf(ids: readonly string[], verdicts: ReadonlyMap<string, Before>): AsyncGenerator<string> {
  for (const id of ids) {
    const { status, errors: codes } = verdicts.get(id) ?? {}
    yield `${JSON.stringify({ id, status, codes })}\n`
  }
}

async function readBaseline(chunks: AsyncIterable<Uint8Array>, file: string): Promise<Map<string, Before>> {
  const accepted = new Map<string, Before>()
  let last: string | undefined
  for await (const line of readLines(chunks, longestLine)) {
    const wrong = (what: string): UsageError => new UsageError(`${file}:${line.number}: ${what}; write the baseline again with --bless`)
    if ('problem' in line) throw wrong(line.problem)
    const [id, before] = parseLine(line.text) ?? []
    if (id === undefined || before === undefined) throw wrong('this is not a line of a baseline, {"id", "status", "codes"}')
    if (last !== undefined && compareNames(last, id) >= 0) throw wrong('the ids are not in order, or one occurs twice')
    accepted.set(id, before)
    last = id
  }
  return accepted
}

function parseLine(text: string): readonly [id: string, before: Before] | undefined {
  const value = parseJson(text)
  if (!isFields(value)) return undefined
  const { id, status, codes } = value
  const isKnown = typeof id === 'string' && settledStatuses.includes(status as VerdictStatus) && Array.isArray(codes)
  if (!isKnown || !codes.every((code) => typeof code === 'string')) return undefined
  return [id, { status: status as VerdictStatus, errors: codes as string[] }]
}
