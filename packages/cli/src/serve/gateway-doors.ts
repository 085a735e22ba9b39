import { systemClock } from '@stickler/core'
import {
  checkGrpcFiles,
  checkParserFiles,
  probeIndex,
  probeParser,
  probeRules,
  probeStore,
  probeUpstreams,
  startGateway,
} from '@stickler/gateway'
import { clusterWorkers } from './cluster-workers.ts'
import type { Doors } from './doors.ts'

/** The real gateway, and the signals of this process. */
export function gatewayDoors(): Doors {
  return {
    startGateway,
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
