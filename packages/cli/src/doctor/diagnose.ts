import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigurationError } from '@stickler/core'
import type { GatewayConfig } from '@stickler/gateway'
import { type SmallBudget, smallBudgets, targetPrices } from '@stickler/gateway/internal'
import { isFolder } from '@stickler/node/internal/files'
import type { Cli } from '../cli.ts'
import { exitCode } from '../exit-code.ts'
import { loadServed } from '../serve/config-source.ts'
import type { Platform } from '../serve/node-platform.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { count, table } from '../terminal/text.ts'
import { broken, type DoctorFinding, doubtful, fine } from './finding.ts'
import { inspectConfig, inspectContracts } from './inspect-config.ts'
import { inspectServices } from './inspect-services.ts'

const least = [20, 19] as const
const littleSpace = 512 * 1024 * 1024

/** Checks the version of Node. */
function inspectNode(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > least[0] || (major === least[0] && minor >= least[1])
  return isNew ? fine('node', version) : broken('node', version, `install Node ${least.join('.')} or newer`)
}

/** Checks the free space where runs are recorded. */
async function inspectDisk({ store }: GatewayConfig): Promise<DoctorFinding[]> {
  const free = await freeBytes(store.folder)
  if (free === undefined) return []
  const shown = `${Math.floor(free / (1024 * 1024))} MB are free at ${store.folder}`
  return [free < littleSpace ? doubtful('disk', shown, 'free some space, or lower store.retentionDays') : fine('disk', shown)]
}

/** Checks that the folders needed by file checks exist. */
async function inspectRoots({ routes }: GatewayConfig): Promise<DoctorFinding[]> {
  const roots = [...new Set(routes.flatMap(({ root }) => (root === undefined ? [] : [root])))]
  return Promise.all(
    roots.map(async (root) =>
      (await isFolder(root))
        ? fine('root', root)
        : broken('root', `there is no folder ${root}`, 'create it, or correct the `root` of the route'),
    ),
  )
}

/** Of the folder, or of its nearest existing parent. */
async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return dirname(folder) === folder ? undefined : freeBytes(dirname(folder))
  }
}

/** The options of `stickler doctor`. */
export interface DoctorFlags {
  readonly config?: string
  readonly json?: true
}

/** Checks what the gateway needs; resolves to the exit code. */
export async function diagnose(flags: DoctorFlags, cli: Cli, platform: Platform): Promise<number> {
  const findings = [inspectNode(platform.nodeVersion), ...(await inspectAll(flags, cli, platform))]
  cli.signal.throwIfAborted()
  const failed = findings.filter(({ state }) => state === 'fail')
  await cli.stdout.write(flags.json ? `${safeJson({ ok: failed.length === 0, findings }, 2)}\n` : describe(findings, cli))
  if (failed.length === 0) return exitCode.ok
  return failed.every(({ name }) => name.startsWith('upstream ')) ? exitCode.upstream : exitCode.usage
}

async function inspectAll({ config: file }: DoctorFlags, cli: Cli, platform: Platform): Promise<DoctorFinding[]> {
  let config: GatewayConfig
  try {
    config = await loadServed(file, cli.io, { contractsAlone: true })
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.split('\n').map((line) => broken('configuration', line))
  }
  if (config.routes.length === 0 && config.ask === undefined) return inspectContracts(config)
  const [services, roots, disk] = await Promise.all([
    inspectServices(config, platform, cli.signal),
    inspectRoots(config),
    inspectDisk(config),
  ])
  return [
    ...inspectConfig(config, platform.today()),
    ...smallBudgets(config).map(describeSmall),
    ...inspectPrices(config),
    ...services,
    ...roots,
    ...disk,
  ]
}

function describe(findings: readonly DoctorFinding[], { paintOut: paint }: Cli): string {
  const colours = { ok: paint.green, warn: paint.yellow, fail: paint.red }
  const rows = table(
    findings.map(({ state, name, message }) => [state.padEnd(4), printable(name), printable(message)]),
    '',
  )
  const lines = findings.flatMap(({ state, advice }, index) => {
    // Painted last: colours would count towards the width.
    const line = (rows[index] ?? '').replace(/^\w+/, (word) => colours[state](word))
    return advice === undefined ? [line] : [line, `      ${paint.dim(printable(advice))}`]
  })
  return `${lines.join('\n')}\n`
}

/** Key budgets that reject every request. */
function describeSmall({ route, retries, completionTokens, needed, budget, onlyStreamed }: SmallBudget): DoctorFinding {
  const request = `${onlyStreamed ? 'streamed ' : ''}requests to ${route} without a completion limit`
  return doubtful(
    'budget',
    `${budget} a day never cover ${request}: even with an empty prompt they reserve ${needed} (${count(completionTokens, 'completion token')}, ${retries === 1 ? '1 retry' : `${retries} retries`})`,
    'raise the budget, or lower server.perKey.completionTokens or the retries of the contract',
  )
}

/** Without a price, calls count as free until they report what they cost. */
function inspectPrices(config: GatewayConfig): DoctorFinding[] {
  const { ask, routes, server } = config
  const asked = ask?.upstreams.map((upstream) => ({ upstream })) ?? []
  const free = (limit: string, targets: typeof asked): DoctorFinding[] => {
    const names = targets.filter((target) => targetPrices(target, config).includes(undefined)).map(({ upstream }) => upstream)
    const message = (name: string): string => `calls of upstream ${name} count as free for ${limit}: it has no price`
    return [...new Set(names)].map((name) => doubtful('budget', message(name), 'set its `price`'))
  }
  return [
    ...(server.perKey.usdPerDay === undefined ? [] : free('usdPerDay', [...routes.flatMap(({ targets }) => targets), ...asked])),
    ...(ask?.limits.dailyCostUsd === undefined ? [] : free('ask.limits.dailyCostUsd', asked)),
  ]
}
