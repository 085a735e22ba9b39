import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../files/write-file.ts'
import type { Io } from '../io.ts'
import { digest } from './judging/contract-identity.ts'

/** What is known of an evaluation under way. */
interface ProgressFacts {
  readonly name: string
  readonly contract: string
  readonly against?: string | undefined
}

/** What its progress is made of. */
interface ProgressState {
  /** Answers that wait for a worker, and the workers, with a queue. */
  readonly queued?: number
  readonly workers?: number
  /** The share of the input that has been read, where its size is known. */
  readonly share?: number | undefined
}

/** The file from which the dashboard reads how far an evaluation is. */
export interface ProgressFile {
  update(answers: number): void
  /** Removes it after a success; otherwise it says that the evaluation has stopped. */
  end(hasSucceeded: boolean): Promise<void>
}

/** The dashboard takes an evaluation that has been silent for longer than a few of these for dead. */
const everyMs = 2000
const keptMs = 7 * 86_400_000
const suffix = '.progress'

/** Writes how far an evaluation is to a folder, over and over: it is replaced as a whole, and never a reason to fail. */
export function openProgressFile(
  folder: string,
  facts: ProgressFacts,
  io: Pick<Io, 'now' | 'date' | 'cwd'>,
  state: () => ProgressState,
): ProgressFile {
  // The same command after a kill goes on with the same file.
  const path = join(folder, `run_${digest(JSON.stringify([facts, io.cwd])).slice(0, 16)}${suffix}`)
  const startedAt = (io.date?.() ?? new Date(0)).getTime()
  let answers = 0
  let before = { answers, at: io.now() }
  let writing = Promise.resolve()
  const write = (status: 'running' | 'stopped'): Promise<void> => {
    const at = io.now()
    const perSecond = at > before.at ? Math.round(((answers - before.answers) * 1000) / (at - before.at)) : 0
    before = { answers, at }
    const text = `${JSON.stringify({ ...facts, status, startedAt, answers, perSecond, ...state() })}\n`
    writing = writing.then(() => replaceFile(path, text)).catch(() => {})
    return writing
  }
  removeOld(folder, startedAt)
  void write('running')
  const timer = setInterval(() => void write('running'), everyMs)
  timer.unref()
  return {
    update(count) {
      answers = count
    },
    async end(hasSucceeded) {
      clearInterval(timer)
      await (hasSucceeded ? writing : write('stopped'))
      if (hasSucceeded) await rm(path, { force: true }).catch(() => {})
    },
  }
}

/** Makes the folder, and removes what evaluations that were never continued have left. */
function removeOld(folder: string, now: number): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(folder).filter((one) => one.endsWith(suffix)))
      if (now - statSync(join(folder, name)).mtimeMs > keptMs) rmSync(join(folder, name), { force: true })
  } catch {
    // The report says why the folder cannot be used.
  }
}
