import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { errorMessage } from '@stickler/core/internal'
import type { Cli } from '../../cli.ts'
import type { Io } from '../../io.ts'
import { commandPlugins } from '../../plugins.ts'
import type { JudgeFlags } from './judge.ts'
import { judgeHere, openJudges, type Task, type TaskResult } from './judging.ts'

/** What a thread is started with. */
export interface ThreadStart {
  readonly flags: readonly JudgeFlags[]
  readonly env: Io['env']
  readonly cwd: string
}

/** Answers to judge. */
export type ToThread = readonly Task[]
/** Their results, or why there are none. */
export type FromThread = { readonly results: readonly TaskResult[] } | { readonly failure: string }

// The entry of a thread: it is only ever loaded as one.
if (parentPort !== null) judgeFor(parentPort, workerData as ThreadStart)

function judgeFor(port: MessagePort, { flags, env, cwd }: ThreadStart): void {
  const io = { env, cwd, plugins: commandPlugins() } as Pick<Io, 'env' | 'cwd' | 'plugins'> as Io
  const cli: Pick<Cli, 'io' | 'signal'> = { io, signal: new AbortController().signal }
  const judging = openJudges(flags, cli).then(judgeHere)
  // The first question reports it.
  judging.catch(() => {})
  port.on('message', (tasks: ToThread) => {
    void judging
      .then((ready) => ready.judge(tasks))
      .then(
        (results) => port.postMessage({ results } satisfies FromThread),
        (error: unknown) => port.postMessage({ failure: errorMessage(error) } satisfies FromThread),
      )
  })
}
