import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PendingReplies } from '@stickler/node/internal/replies'
import type { Cli } from '../../cli.ts'
import type { JudgeFlags } from './judge.ts'
import type { Judging, TaskResult } from './judging.ts'
import type { FromThread, ThreadStart } from './judging-thread.ts'

/** Judges in several threads, each with its own contracts; a batch goes to the thread with the least to do. */
export function judgeInThreads(count: number, flags: readonly JudgeFlags[], { io, signal }: Pick<Cli, 'io' | 'signal'>): Judging {
  const start: ThreadStart = { flags: flags.map(plainFlags), env: { ...io.env }, cwd: io.cwd }
  const threads = Array.from({ length: count }, () => startThread(start, signal))
  return {
    judge(tasks) {
      const free = threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best))
      return free.judge(tasks)
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  }
}

/** Flags of other options need not be copied to a thread. */
function plainFlags({ contract, config, preset, check, repair, allow, locale, request, root }: JudgeFlags): JudgeFlags {
  const entries = Object.entries({ contract, config, preset, check, repair, allow, locale, request, root })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

interface Thread extends Judging {
  /** Questions under way. */
  readonly waiting: number
}

function startThread(start: ThreadStart, signal: AbortSignal): Thread {
  const replies = new PendingReplies<readonly TaskResult[]>()
  const pending = new Set<number>()
  let ended: Error | undefined
  const worker = new Worker(threadFile(), { workerData: start })
  const end = (error: Error): void => {
    ended ??= error
    for (const id of pending) replies.get(id)?.reject(ended)
  }
  worker.on('message', (reply: FromThread) => {
    const caller = replies.get(reply.id)
    if ('results' in reply) caller?.resolve(reply.results)
    else caller?.reject(new Error(reply.failure))
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('a thread that checks answers has ended')))
  return {
    get waiting() {
      return pending.size
    },
    async judge(tasks) {
      let asked = 0
      const send = (id: number): void => {
        asked = id
        pending.add(id)
        if (ended !== undefined) throw ended
        worker.postMessage({ id, tasks })
      }
      try {
        return await replies.ask(send, signal, () => new Error('the command has ended'))
      } finally {
        pending.delete(asked)
      }
    },
    close: async () => void (await worker.terminate()),
  }
}

/** The module itself: threads are not part of the bundle. */
function threadFile(): string {
  const manifest = createRequire(import.meta.url).resolve('stickler/package.json')
  return join(dirname(manifest), 'dist/evaluation/judging/judging-thread.js')
}
