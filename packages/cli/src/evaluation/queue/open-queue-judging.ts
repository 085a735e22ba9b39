import type { Cli } from '../../cli.ts'
import { UsageError } from '../../errors.ts'
import { digest } from '../judging/contract-identity.ts'
import type { Judging } from '../judging/judging.ts'
import { judgeByQueue, type QueuedContract, type QueueJudging } from './judge-by-queue.ts'
import { type QueueFlags, readQueueAddress } from './queue-address.ts'
import { openQueueDatabase } from './queue-database.ts'

/** What an evaluation lets workers do. */
export interface QueuedEvaluation {
  readonly contracts: readonly QueuedContract[]
  /** What it judges, as reports name it. */
  readonly source: string
  readonly here: Judging
}

/** Connects an evaluation with its queue. */
export async function openQueueJudging(
  { contracts, source, here }: QueuedEvaluation,
  flags: QueueFlags & { readonly jobTimeout?: number },
  { io, signal, note }: Cli,
): Promise<QueueJudging> {
  const address = readQueueAddress(flags, io)
  if (address === undefined) throw new UsageError('name the queue with --queue or --queue-env')
  const database = await openQueueDatabase(address, { connections: 4, signal, onAway: note })
  try {
    // The same command after a kill is the same evaluation.
    const evaluation = { id: digest(JSON.stringify([source, contracts])), contracts }
    return await judgeByQueue(database, { evaluation, here, signal, jobTimeout: flags.jobTimeout ?? 60, note })
  } catch (error) {
    await database.close()
    throw error
  }
}
