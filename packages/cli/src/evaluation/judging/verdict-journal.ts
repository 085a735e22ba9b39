import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isDeeperThan, isFields, parseJson, settledStatuses } from '@stickler/core/internal'
import { UsageError } from '../../errors.ts'
import { whyNot } from '../../files/why-not.ts'
import { openLineJournal } from '../../inputs/line-journal.ts'
import type { Verdict } from '../verdict.ts'
import type { Judged } from './judge.ts'

/** The verdicts of one contract, kept between runs: appended to a file, and found by the hash of the answer. */
export interface VerdictJournal {
  find(key: string): Verdict | undefined
  /** Keeps a verdict, unless a check could not run: another time it might. */
  add(key: string, verdict: Verdict): void
  /** Writes what was added. */
  flush(): void
  close(): void
}

/** Verdicts are written together: after a kill, the last ones are checked again. */
const flushAt = 64 * 1024
/** A line holds a hash and a verdict. */
const longestLine = 1024 * 1024
/** More verdicts are not held in memory: they are found again by checking. */
const most = 2 ** 22

/** Opens the journal of a contract in a folder, which is created; lines that are torn or foreign are ignored. */
export async function openVerdictJournal(folder: string, hash: string): Promise<VerdictJournal> {
  const path = join(folder, `${hash}.jsonl`)
  const table = new Map<string, Verdict>()
  // Verdicts repeat, so equal ones are held once.
  const distinct = new Map<string, Verdict>()
  const hold = (key: string, verdict: Verdict): void => {
    if (table.size >= most && !table.has(key)) return
    const written = JSON.stringify(verdict)
    const held = distinct.get(written) ?? verdict
    distinct.set(written, held)
    table.set(key, held)
  }
  try {
    const journal = await openLineJournal(path, longestLine, (line) => {
      const entry = parseEntry(line)
      if (entry !== undefined) hold(...entry)
    })
    let waiting = ''
    const flush = (): void => {
      if (waiting === '') return
      try {
        journal.append(waiting)
      } catch (error) {
        throw unkept(path, error)
      } finally {
        waiting = ''
      }
    }
    return {
      find: (key) => table.get(key),
      add(key, verdict) {
        if (verdict.unchecked.length > 0) return
        hold(key, verdict)
        waiting += `${JSON.stringify([key, verdict])}\n`
        if (waiting.length >= flushAt) flush()
      },
      flush,
      close() {
        flush()
        journal.close()
      },
    }
  } catch (error) {
    throw unkept(path, error)
  }
}

function unkept(path: string, error: unknown): UsageError {
  return new UsageError(`cannot keep verdicts in ${path}: ${whyNot(error)}; --no-cache goes without`)
}

const deepest = 2000

/** The hash of what the verdict on a recording depends on, 16 bytes as base64url, and how long that is. */
export function answerKey({ fields, model, usage, live }: Judged): { readonly key: string; readonly length: number } {
  const written = JSON.stringify([fields, model, usage, ...(live ? [live] : [])])
  // How deep JSON.stringify goes depends on the version of Node.
  if (isDeeperThan(written, deepest)) throw new RangeError('nested too deeply')
  return { key: createHash('sha256').update(written).digest().toString('base64url', 0, 16), length: written.length }
}

function parseEntry(text: string): [key: string, verdict: Verdict] | undefined {
  const entry = parseJson(text)
  const [key, verdict] = Array.isArray(entry) ? (entry as readonly unknown[]) : []
  return typeof key === 'string' && key.length === 22 && isVerdict(verdict) ? [key, verdict] : undefined
}

const lists = ['errors', 'fixed', 'warnings', 'repairs', 'unchecked']

/** Whether a value is a verdict. */
export function isVerdict(value: unknown): value is Verdict {
  if (!isFields(value)) return false
  const { status, delivered, action } = value
  const isList = (name: string): boolean => {
    const list = value[name]
    return Array.isArray(list) && list.every((item) => typeof item === 'string')
  }
  return settledStatuses.includes(status as never) && typeof delivered === 'boolean' && typeof action === 'string' && lists.every(isList)
}
