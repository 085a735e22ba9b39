import { commandStore } from '@stickler/gateway/internal'
import type { Command } from 'commander'
import { asUsage } from '../../config/files.ts'
import { UsageError } from '../../errors.ts'
import type { Io } from '../../io.ts'

/** How the command line names the database of a queue. */
export interface QueueFlags {
  readonly queue?: string
  readonly queueEnv?: string
}

/** The database of a queue; only `shown` may be printed. */
export interface QueueAddress {
  readonly url: string
  readonly shown: string
}

/** Adds the options that name a queue. */
export function addQueueOptions(command: Command, use: string): Command {
  return command
    .option('--queue <url>', `${use}: postgres://user:password@host/database`)
    .option('--queue-env <name>', 'the environment variable with the address of the queue, in place of --queue')
}

/** Reads the address of the queue; undefined without one. Errors do not repeat it, because it may have a password. */
export function readQueueAddress({ queue, queueEnv }: QueueFlags, { env, cwd }: Pick<Io, 'env' | 'cwd'>): QueueAddress | undefined {
  if (queue !== undefined && queueEnv !== undefined) throw new UsageError('--queue and --queue-env exclude each other')
  const written = queueEnv === undefined ? queue : env[queueEnv]
  if (queueEnv !== undefined && !written) throw new UsageError(`--queue-env: ${queueEnv} is not set`)
  if (written === undefined) return undefined
  const flag = queueEnv === undefined ? '--queue' : '--queue-env'
  const { kind, url, shown } = asUsage(() => commandStore(undefined, { env, folder: cwd, over: { url: written, cwd } }), flag)
  if (kind !== 'postgres') throw new UsageError(`${flag}: a queue needs PostgreSQL; write postgres://user@host/database`)
  return { url, shown }
}
