import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { clamp } from '@stickler/core/internal'
import { type EvaluationProgress, progressFiles } from '@stickler/gateway/internal'
import { replaceFile } from '../files/write-file.ts'
import type { Io } from '../io.ts'
import { digest } from './judging/contract-identity.ts'

/** What is known of an evaluation under way. */
interface ProgressFacts extends Pick<EvaluationProgress, 'name' | 'contract'> {
  readonly against?: string | undefined
}

/** Answers that wait for a worker and the workers, with a queue, and the share of the input that has been read, where its size is known. */
type ProgressState = Pick<EvaluationProgress, 'queued' | 'workers' | 'share'>

/** The file from which the dashboard reads how far an evaluation is. */
export interface ProgressFile {
  update(answers: number): void
  /** Removes it after a success; otherwise it says that the evaluation has stopped. */
  end(hasSucceeded: boolean): Promise<void>
}

const { prefix, suffix, everyMs, keptMs, longestName } = progressFiles

/** Writes how far an evaluation is to a folder, over and over: it is replaced as a whole, and never a reason to fail. */
export function openProgressFile(
  folder: string,
  facts: ProgressFacts,
  io: Pick<Io, 'now' | 'date' | 'cwd'>,
  state: () => ProgressState,
): ProgressFile {
  // The same command after a kill goes on with the same file.
  const path = join(folder, `${prefix}${digest(JSON.stringify([facts, io.cwd])).slice(0, 16)}${suffix}`)
  // The dashboard lists no file with a longer name.
  const names = {
    name: clamp(facts.name, longestName),
    contract: clamp(facts.contract, longestName),
    ...(facts.against !== undefined && { against: clamp(facts.against, longestName) }),
  }
  const startedAt = (io.date?.() ?? new Date(0)).getTime()
  let answers = 0
  let before = { answers, at: io.now() }
  let writing = Promise.resolve()
  const write = (status: 'running' | 'stopped'): Promise<void> => {
    const at = io.now()
    const perSecond = at > before.at ? Math.round(((answers - before.answers) * 1000) / (at - before.at)) : 0
    before = { answers, at }
    const said: EvaluationProgress = { ...names, status, startedAt, answers, perSecond, ...state() }
    writing = writing.then(() => replaceFile(path, `${JSON.stringify(said)}\n`)).catch(() => {})
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
