import cluster from 'node:cluster'
import type { WorkerPort } from './workers.ts'

/** Workers as processes of `node:cluster`, which hands their common port out. */
export function clusterWorkers(): WorkerPort {
  return {
    isWorker: cluster.isWorker,
    fork(argv) {
      cluster.setupPrimary({ args: [...argv] })
      const worker = cluster.fork()
      // A worker that cannot be started has no exit to tell of.
      worker.on('error', () => {})
      return {
        onListening: (listener) => void worker.once('listening', listener),
        onExit: (listener) => void worker.once('exit', (code: number | null) => listener(code)),
        signal: (name) => void worker.process.kill(name),
      }
    },
    leave: () => cluster.worker?.disconnect(),
  }
}
