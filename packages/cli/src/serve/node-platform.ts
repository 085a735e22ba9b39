import { setFlagsFromString } from 'node:v8'
import { systemClock } from '@stickler/core/internal'
import { startGateway } from '@stickler/gateway'
import {
  checkGrpcFiles,
  checkParserFiles,
  probeIndex,
  probeParser,
  probeRules,
  probeStore,
  probeUpstreams,
} from '@stickler/gateway/internal'
import { clusterWorkers } from './cluster-workers.ts'
import type { Platform } from './platform.ts'

/** The real gateway, and the signals of this process. */
export function nodePlatform(): Platform {
  return {
    startGateway(options) {
      // V8 would let old space grow to several times of what is alive; requests leave little there, but each bit of it keeps buffers outside of the heap.
      setFlagsFromString('--heap-growing-percent=100')
      // With the usual 8 KB a few replies need another piece of memory, each of which V8 has to collect on its own.
      Buffer.poolSize = 32 * 1024
      return startGateway(options)
    },
    probeUpstreams,
    probeIndex,
    probeParser,
    probeRules,
    checkGrpcFiles,
    checkParserFiles,
    probeStore,
    onHangup(listener) {
      process.on('SIGHUP', listener)
      return () => process.off('SIGHUP', listener)
    },
    workers: clusterWorkers(),
    clock: systemClock,
    today: Date.now,
    nodeVersion: process.versions.node,
  }
}
