import { ConfigurationError } from '@stickler/core'
import { type GatewayConfig, type SmallBudget, smallBudgets, targetPrices } from '@stickler/gateway'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { exitCode } from '../exit-code.ts'
import { loadServed } from '../serve/config-source.ts'
import type { Doors } from '../serve/doors.ts'
import { count } from '../terminal/count.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { table } from '../terminal/table.ts'
import { broken, type DoctorFinding, doubtful } from './finding.ts'
import { inspectConfig } from './inspect-config.ts'
import { inspectGrpc } from './inspect-grpc.ts'
import { inspectDisk, inspectNode, inspectRoots } from './inspect-machine.ts'
import { inspectIndex, inspectParser, inspectRules, inspectStore, inspectUpstreams } from './inspect-services.ts'

interface DoctorFlags {
  readonly config?: string
  readonly json?: true
}

/** Defines `stickler doctor`. */
export function defineDoctorCommand(command: Command, cli: Cli, end: (exitCode: number) => void, doors: Doors): void {
  command
    .description(
      'Checks everything that `stickler serve` needs: the configuration, environment variables, upstreams, parser, store, keys.\n' +
        'Exits with 0 when nothing fails, 2 when the configuration or the machine has a problem, 3 when only an upstream cannot be reached.',
    )
    .option('--config <file>', 'configuration file; default: ./stickler.yaml')
    .option('--json', 'print the findings as JSON')
    .action(async (flags: DoctorFlags) => end(await doctor(flags, cli, doors)))
}

async function doctor(flags: DoctorFlags, cli: Cli, doors: Doors): Promise<number> {
  const findings = [inspectNode(doors.nodeVersion), ...(await inspectAll(flags, cli, doors))]
  cli.signal.throwIfAborted()
  const failed = findings.filter(({ state }) => state === 'fail')
  await cli.stdout.write(flags.json ? `${safeJson({ ok: failed.length === 0, findings }, 2)}\n` : describe(findings, cli))
  if (failed.length === 0) return exitCode.ok
  return failed.every(({ name }) => name.startsWith('upstream ')) ? exitCode.upstream : exitCode.usage
}

async function inspectAll({ config: file }: DoctorFlags, cli: Cli, doors: Doors): Promise<DoctorFinding[]> {
  let config: GatewayConfig
  try {
    config = await loadServed(file, cli.io)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.split('\n').map((line) => broken('configuration', line))
  }
  const [upstreams, parser, rules, index, grpc, store, roots, disk] = await Promise.all([
    inspectUpstreams(config, doors, cli.signal),
    inspectParser(config, doors, cli.signal),
    inspectRules(config, doors, cli.signal),
    inspectIndex(config, doors, cli.signal),
    inspectGrpc(config, doors),
    inspectStore(config, doors, cli.signal),
    inspectRoots(config),
    inspectDisk(config),
  ])
  return [
    ...inspectConfig(config, doors.today()),
    ...inspectBudgets(config),
    ...upstreams,
    ...parser,
    ...rules,
    ...index,
    ...grpc,
    store,
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

/** Finds key budgets that reject every request or count nothing. */
function inspectBudgets(config: GatewayConfig): DoctorFinding[] {
  return [...smallBudgets(config).map(describeSmall), ...inspectPrices(config)]
}

function describeSmall({ route, retries, completionTokens, needed, budget, onlyStreamed }: SmallBudget): DoctorFinding {
  const request = `${onlyStreamed ? 'streamed ' : ''}requests to ${route} without a completion limit`
  return doubtful(
    'budget',
    `${budget} a day never cover ${request}: even with an empty prompt they reserve ${needed} (${count(completionTokens, 'completion token')}, ${retries === 1 ? '1 retry' : `${retries} retries`})`,
    'raise the budget, or lower server.perKey.completionTokens or the retries of the contract',
  )
}

/** Without a price, calls count as free. */
function inspectPrices(config: GatewayConfig): DoctorFinding[] {
  if (config.server.perKey.usdPerDay === undefined) return []
  const asked = config.ask?.upstreams.map((upstream) => ({ upstream })) ?? []
  const free = [...config.routes.flatMap(({ targets }) => targets), ...asked].filter((target) =>
    targetPrices(target, config).includes(undefined),
  )
  return [...new Set(free.map(({ upstream }) => upstream))].map((name) =>
    doubtful('budget', `calls of upstream ${name} count as free for usdPerDay: it has no price`, 'set its `price`'),
  )
}
