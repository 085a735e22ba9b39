import cluster, { type Worker as ClusterWorker } from 'node:cluster'
import { type Channel, isReadyMessage, type WorkerPort } from './workers.ts'

/** Workers as processes of `node:cluster`, which shares their port. */
export function clusterWorkers(): WorkerPort {
  return {
    isWorker: cluster.isWorker,
    primary: cluster.worker && channelTo(cluster.worker),
    fork(argv) {
      cluster.setupPrimary({ args: [...argv] })
      const worker = cluster.fork()
      // A worker that cannot be started emits no exit event.
      worker.on('error', () => {})
      return {
        ...channelTo(worker),
        onListening: (listener) =>
          void worker.on('message', (message: unknown) => {
            if (isReadyMessage(message)) listener(message.ready)
          }),
        onExit: (listener) => void worker.once('exit', (code: number | null) => listener(code)),
        signal: (name) => void worker.process.kill(name),
      }
    },
    leave: () => cluster.worker?.disconnect(),
  }
}

function channelTo(worker: ClusterWorker): Channel {
  return {
    send(message) {
      // The other side may disconnect at any time; without a listener, that would crash the process.
      if (worker.isConnected()) worker.send(message as object, () => {})
    },
    onMessage: (listener) => void worker.on('message', (message: unknown) => listener(message)),
  }
}
