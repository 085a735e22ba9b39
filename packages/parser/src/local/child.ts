import { Worker } from 'node:worker_threads'
import type { FromThread, Load, Snippet, Start } from './messages.ts'

// The entry of a parser process: it is only ever loaded as one.
if (process.send !== undefined) relaySnippets(process)

/**
 * Parses snippets in a thread of this process, whose event loop stays free to notice that the host
 * has ended.
 */
function relaySnippets(host: NodeJS.Process): void {
  let thread: Worker | undefined

  function start({ modules, catalogues, memoryMb }: Start['start']): Worker {
    const started = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: { modules, catalogues },
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    started.on('message', tell)
    started.on('error', (error) => tell({ problem: error.message, cause: isOutOfMemory(error) ? 'memory' : 'crash' }))
    started.on('exit', () => tell({ problem: 'its thread ended', cause: 'crash' }))
    return started
  }

  function tell(message: FromThread): void {
    host.send?.(message)
  }

  host.on('message', (message: Start | Load | Snippet) => {
    if ('start' in message) thread = start(message.start)
    else thread?.postMessage(message)
  })
  // A thread inside native code cannot be ended in another way.
  host.once('disconnect', () => host.kill(host.pid, 'SIGKILL'))
  // These reach whole groups of processes; the host decides when it is over.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.on(signal, () => {})
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
