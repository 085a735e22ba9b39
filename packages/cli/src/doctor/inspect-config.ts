import type { GatewayConfig } from '@stickler/gateway'
import { contractWarnings, expiredKeys, isLoopback } from '@stickler/gateway/internal'
import { type LoadedPlugin, pluginPlace } from '@stickler/node/internal/config'
import { count } from '../terminal/text.ts'
import { broken, type DoctorFinding, doubtful, fine } from './finding.ts'

/** Inspects the contracts of a valid configuration; without routes they are for the library and the command. */
export function inspectContracts(config: GatewayConfig): DoctorFinding[] {
  const { file, upstreams, contracts, routes } = config
  const parts = [count(upstreams.length, 'upstream'), count(contracts.size, 'contract'), count(routes.length, 'route')]
  return [
    fine('configuration', `${file}: ${parts.join(', ')}`),
    ...(config.plugins ?? []).map(inspectPlugin),
    ...contractWarnings(config).map((warning) =>
      doubtful('contract', warning, 'list the classes in `allow`, leave `allow` out, or remove the option that asks for repairs'),
    ),
  ]
}

/** Inspects a configuration that is valid in itself. */
export function inspectConfig(config: GatewayConfig, now: number): DoctorFinding[] {
  const { routes } = config
  return [
    ...inspectContracts(config),
    inspectExposure(config, now),
    ...inspectRoles(config, now),
    ...inspectExpiry(config, now),
    ...(config.unsetKeys ?? []).map(({ of, variable }) =>
      doubtful(of, `the variable ${variable} is not set; calls are sent without a key`, `set ${variable}, or leave out apiKeyEnv`),
    ),
    ...routes.flatMap(inspectRoute),
    ...routes.flatMap((route) => inspectFiles(route, config)),
  ]
}

/** What was loaded from where; a plugin that fails to load is a configuration error. */
function inspectPlugin(plugin: LoadedPlugin): DoctorFinding {
  const names = plugin.validators.map(({ name }) => name).join(', ')
  return fine('plugin', `${plugin.written}: ${names}, from ${pluginPlace(plugin)}`)
}

function inspectExposure({ server }: GatewayConfig, now: number): DoctorFinding {
  const { host, keyCount, operatorKeyCount, emptyKeysEnv } = server
  if (keyCount === 0 && operatorKeyCount > 0)
    return doubtful('keys', 'no client keys, so no client can call a model', 'set STICKLER_KEYS to name:key')
  if (keyCount > 0) return fine('keys', `${count(keyCount - expiredKeys(server.keys, now).length, 'client key')}, listening on ${host}`)
  if (isLoopback(host) && emptyKeysEnv !== undefined)
    return doubtful('keys', `none in ${emptyKeysEnv}: anyone on this machine can call models`, `set ${emptyKeysEnv} to name:key`)
  if (isLoopback(host)) return fine('keys', `none; only this machine can reach ${host}`)
  return broken('keys', `none, and others can reach ${host}`, 'set STICKLER_KEYS to name:key, or listen on 127.0.0.1')
}

/** Client keys give access to their own runs only, so operators need keys of their own. */
function inspectRoles({ server }: GatewayConfig, now: number): DoctorFinding[] {
  const { admin, keyCount, operatorKeyCount } = server
  const listener = admin === undefined ? [] : [inspectAdmin(admin, server)]
  if (operatorKeyCount > 0)
    return [fine('operators', count(operatorKeyCount - expiredKeys(server.operatorKeys, now).length, 'key')), ...listener]
  if (keyCount === 0) return listener
  const without =
    admin === undefined ? 'the dashboard shows each client its own runs, and metrics cannot be read' : 'the dashboard cannot be read'
  return [doubtful('operators', `no keys: ${without}`, 'set STICKLER_OPERATOR_KEYS to name:key'), ...listener]
}

function inspectAdmin(admin: NonNullable<GatewayConfig['server']['admin']>, { host, port }: GatewayConfig['server']): DoctorFinding {
  const message = `probes and metrics without a key on ${admin.host}:${admin.port}`
  const sharesHost = admin.host === host || [admin.host, host].some((one) => anyAddress.has(one))
  if (admin.port === port && port !== 0 && sharesHost)
    return broken('admin', `server.admin.port is server.port, ${port}`, 'choose another port for server.admin')
  if (isLoopback(admin.host)) return fine('admin', message)
  return doubtful('admin', `${message}, which others can reach`, 'listen on 127.0.0.1, or where only your monitoring reaches it')
}

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]'])

/** Keys past their last day are rejected. */
function inspectExpiry({ server }: GatewayConfig, now: number): DoctorFinding[] {
  const roles = [
    ['keys', server.keys, 'client'],
    ['operators', server.operatorKeys, 'operator'],
  ] as const
  return roles.flatMap(([name, keys, role]) => {
    const expired = expiredKeys(keys, now)
    if (expired.length === 0) return []
    return [doubtful(name, `expired: ${count(expired.length, `${role} key`)} (${expired.join(', ')})`, 'replace it, or remove it')]
  })
}

function inspectRoute({ model, contract, pipeline, exemptTasks, exemptApis }: GatewayConfig['routes'][number]): DoctorFinding[] {
  const name = `route ${model}`
  if (contract === undefined && pipeline === undefined)
    return [doubtful(name, 'answers are passed on without a contract', 'set `contract` to enforce one')]
  const exempt = [
    ...(exemptTasks.length === 0 ? [] : [`requests with the header x-stickler-task for ${exemptTasks.join(', ')}`]),
    ...exemptApis.map((api) => `requests on /v1/${api}`),
  ]
  return exempt.map((requests) => doubtful(name, `${requests} are not checked against the contract`, 'allow only trusted clients'))
}

/** Without files, checks that need them stay unchecked, which a contract may let pass. */
function inspectFiles(
  { model, contract = '', contracts: listed = [contract], root }: GatewayConfig['routes'][number],
  { contracts }: GatewayConfig,
): DoctorFinding[] {
  if (root !== undefined) return []
  const needing = listed
    .flatMap((name) => contracts.get(name)?.validators ?? [])
    .filter(({ definition }) => definition.ports?.includes('files'))
  if (needing.length === 0) return []
  const names = [...new Set(needing.map(({ name }) => name))].join(', ')
  return [doubtful(`route ${model}`, `${names} cannot check anything: the route has no \`root\``, 'set `root` to the folder of the files')]
}
