import cluster, { type Worker as ClusterWorker } from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import type { Clock } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { type Gateway, type GatewayOptions, startGateway } from '@stickler/gateway'
import {
  checkGrpcFiles,
  checkParserFiles,
  openSpanExport,
  playDemo,
  probeIndex,
  probeParser,
  probeRules,
  probeStore,
  probeUpstreams,
} from '@stickler/gateway/internal'
import { type Channel, isReadyMessage, type WorkerPort } from './workers.ts'

/** The parts of the gateway and the machine that `serve` and `doctor` use, injected for tests. */
export type Platform = ReturnType<typeof nodePlatform>

/** The real gateway, and the signals of this process. */
export function nodePlatform() {
  return {
    startGateway(options: GatewayOptions): Promise<Gateway> {
      // V8 would let old space grow to several times of what is alive; requests leave little there, but each bit of it keeps buffers outside of the heap.
      setFlagsFromString('--heap-growing-percent=100')
      // With the usual 8 KB a few replies need another piece of memory, each of which V8 has to collect on its own.
      Buffer.poolSize = 32 * 1024
      return startGateway(options)
    },
    openSpanExport,
    probeUpstreams,
    probeIndex,
    probeParser,
    probeRules,
    checkGrpcFiles,
    checkParserFiles,
    probeStore,
    playDemo,
    /** Calls back on SIGHUP; returns a function that stops it. */
    onHangup(listener: () => void): () => void {
      process.on('SIGHUP', listener)
      return () => process.off('SIGHUP', listener)
    },
    workers: clusterWorkers(),
    clock: systemClock as Clock,
    /** Milliseconds since 1970. */
    today: (): number => Date.now(),
    nodeVersion: process.versions.node as string,
  }
}

/** Workers as processes of `node:cluster`, which shares their port. */
function clusterWorkers(): WorkerPort {
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
