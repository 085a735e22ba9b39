import { resolve } from 'node:path'
import { isFields, settledStatuses } from '@stickler/core/internal'
import { openRegularFile } from '@stickler/node/internal/files'
import { UsageError } from '../errors.ts'
import { isMissing, whyNot } from '../files/why-not.ts'
import { replaceFile } from '../files/write-file.ts'
import { readLines } from '../inputs/lines.ts'
import { compareNames } from './counter.ts'
import type { Before, Row } from './row.ts'
import type { SortedRows } from './sorted-rows.ts'
import type { VerdictStatus } from './verdict.ts'

/** One line of a baseline: a verdict that was accepted, without the answer. */
export interface Blessed {
  readonly id: string
  readonly before: Before
}

const longestLine = 1024 * 1024

/** Reads a baseline line by line, in the order of ids; undefined when there is none. Throws a UsageError for anything else. */
export async function openBaseline(file: string, cwd: string): Promise<AsyncGenerator<Blessed> | undefined> {
  try {
    const handle = await openRegularFile(resolve(cwd, file))
    return readBaseline(handle.createReadStream({ highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>, file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new UsageError(`cannot read ${file}: ${whyNot(error)}`)
  }
}

async function* readBaseline(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Blessed> {
  let last: string | undefined
  for await (const line of readLines(chunks, longestLine)) {
    const wrong = (what: string): UsageError => new UsageError(`${file}:${line.number}: ${what}; write the baseline again with --bless`)
    if ('problem' in line) throw wrong(line.problem)
    const blessed = parseLine(line.text)
    if (blessed === undefined) throw wrong('this is not a line of a baseline, {"id", "status", "codes"}')
    if (last !== undefined && compareNames(last, blessed.id) >= 0) throw wrong('the ids are not in order, or one occurs twice')
    last = blessed.id
    yield blessed
  }
}

function parseLine(text: string): Blessed | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isFields(value)) return undefined
    const { id, status, codes } = value
    const isKnown = typeof id === 'string' && settledStatuses.includes(status as VerdictStatus) && Array.isArray(codes)
    if (!isKnown || !codes.every((code) => typeof code === 'string')) return undefined
    return { id, before: { status: status as VerdictStatus, errors: codes as string[] } }
  } catch {
    return undefined
  }
}

/** Joins answers with a baseline by id: pairs, answers that are new, and verdicts without an answer. */
export async function* joinBaseline(
  rows: AsyncIterable<Row>,
  baseline: AsyncIterator<Blessed>,
): AsyncGenerator<{ readonly row: Row } | { readonly missing: Blessed }> {
  let next = await baseline.next()
  for await (const row of rows) {
    while (!next.done && compareNames(next.value.id, row.id) < 0) {
      yield { missing: next.value }
      next = await baseline.next()
    }
    if (!next.done && next.value.id === row.id) {
      yield { row: { ...row, before: next.value.before } }
      next = await baseline.next()
    } else yield { row }
  }
  for (; !next.done; next = await baseline.next()) yield { missing: next.value }
}

/** Writes the verdicts as the new baseline, in one step: sorted lines of ids, statuses and rules, without texts. */
export async function writeBaseline(file: string, cwd: string, rows: SortedRows): Promise<void> {
  try {
    await replaceFile(resolve(cwd, file), baselineLines(rows))
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`cannot write ${file}: ${whyNot(error)}`)
  }
}

async function* baselineLines(rows: SortedRows): AsyncGenerator<string> {
  for await (const { id, after } of rows.read()) yield `${JSON.stringify({ id, status: after.status, codes: after.errors })}\n`
}
