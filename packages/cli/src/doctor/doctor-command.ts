import { ConfigurationError } from '@stickler/core'
import type { GatewayConfig } from '@stickler/gateway'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { exitCode } from '../exit-code.ts'
import { loadServed } from '../serve/config-source.ts'
import type { Doors } from '../serve/doors.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { table } from '../terminal/table.ts'
import { broken, type DoctorFinding } from './finding.ts'
import { inspectBudgets } from './inspect-budgets.ts'
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
