import type { MessagePort } from 'node:worker_threads'
import { type Ports, systemClock } from '@stickler/core'
import { nodeFiles } from '@stickler/core/node'
import { type Job, type JobResult, perform } from '@stickler/core/remote'
import { MessageParser } from './message-parser.ts'
import type { FromThread, ToThread } from './messages.ts'
import { RebuiltContracts } from './rebuilt-contracts.ts'
import { withoutUncopied } from './without-uncopied.ts'

/** What ports are made from in a thread. */
export interface JobSurroundings {
  /** The folder for checks of files. */
  readonly root?: string
  /** Whether checks may ask the parser, which answers through the port. */
  readonly parser?: boolean
}

/** Performs the jobs that come through a port, one at a time. */
export function performJobs(port: MessagePort): void {
  const contracts = new RebuiltContracts()
  const tell = (message: FromThread): void => port.postMessage(message)
  const parser = new MessageParser(tell)
  let running: { readonly id: number; readonly controller: AbortController } | undefined

  async function performJob(id: number, job: Job): Promise<void> {
    const controller = new AbortController()
    running = { id, controller }
    try {
      const around = (job.around ?? {}) as JobSurroundings
      const ports: Ports = {
        ...(around.root === undefined ? {} : { files: nodeFiles(around.root) }),
        ...(around.parser ? { parser } : {}),
      }
      const result = await perform(job, await contracts.of(job), { ports, clock: systemClock, signal: controller.signal })
      tellResult(id, result, job)
    } catch (error) {
      tell({ id, error: error instanceof Error ? error.message : String(error) })
    } finally {
      running = undefined
    }
  }

  function tellResult(id: number, result: JobResult, job: Job): void {
    try {
      tell({ id, result })
    } catch {
      tell({ id, result: withoutUncopied(result, job) })
    }
  }

  port.on('message', (message: ToThread) => {
    if ('job' in message) void performJob(message.id, message.job)
    else if ('parsed' in message) parser.take(message.parsed, message.verdict)
    else if (running?.id === message.abort) running.controller.abort()
  })
  tell({ ready: true })
}
