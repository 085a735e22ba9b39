import { type GatewayConfig, isLoopback } from '@stickler/gateway'
import { count } from '../terminal/count.ts'
import { broken, type DoctorFinding, doubtful, fine } from './finding.ts'

/** Looks at a configuration in which nothing is wrong by itself. */
export function inspectConfig(config: GatewayConfig): DoctorFinding[] {
  const { file, upstreams, contracts, routes } = config
  const parts = [count(upstreams.length, 'upstream'), count(contracts.size, 'contract'), count(routes.length, 'route')]
  return [fine('configuration', `${file}: ${parts.join(', ')}`), inspectExposure(config), ...routes.flatMap(inspectRoute)]
}

function inspectExposure({ server }: GatewayConfig): DoctorFinding {
  const { host, keyCount } = server
  if (keyCount > 0) return fine('keys', `${count(keyCount, 'key')} of clients, listening on ${host}`)
  if (isLoopback(host)) return fine('keys', `none; only this machine can reach ${host}`)
  return broken('keys', `none, and others can reach ${host}`, 'set STICKLER_KEYS to name:key, or listen on 127.0.0.1')
}

function inspectRoute({ model, contract, exemptTasks }: GatewayConfig['routes'][number]): DoctorFinding[] {
  const name = `route ${model}`
  if (contract === undefined)
    return [doubtful(name, 'answers are passed on without a contract', 'name a `contract`, if they should keep one')]
  if (exemptTasks.length === 0) return []
  const tasks = exemptTasks.join(', ')
  return [
    doubtful(name, `whoever sends the header x-stickler-task is not held to the contract for ${tasks}`, 'let only trusted clients in'),
  ]
}
