import type { ContractInput, RepairClass } from '@stickler/core'
import { locales, type RequestFacts, repairClasses, unknownName } from '@stickler/core/internal'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** A check as written in a contract. */
export type CheckInput = NonNullable<ContractInput['checks']>[number]

/** The contract options of the command line. */
export interface ContractFlags {
  readonly contract?: string
  readonly config?: string
  readonly preset?: string
  readonly check?: readonly CheckInput[]
  readonly repair?: 'first' | 'last' | 'never'
  readonly allow?: readonly RepairClass[]
  readonly locale?: (typeof locales)[number]
  readonly request?: RequestFacts
}

/** Adds the options that choose a contract. */
export function addContractOptions(command: Command): Command {
  return command
    .option('--contract <name|file>', 'a contract of the configuration, or a file with one (.yaml, .yml, .json, or with a slash)')
    .option('--preset <name>', 'a preset; `stickler list` shows them')
    .option('--check <name>', 'run only this check, with options as name={"json":"object"}; may be repeated', collectCheck)
    .option('--config <file>', 'configuration file; default: ./stickler.yaml')
    .addOption(
      new Option('--repair <when>', 'repair before asking again, after the last retry, or never').choices(['first', 'last', 'never']),
    )
    .option('--allow <classes>', `repair classes that may be applied, comma-separated: ${repairClasses.join(', ')}`, readClasses)
    .addOption(new Option('--locale <language>', 'language of messages').choices(locales))
    .option('--request <what=name>', 'the request that checks with `when` apply to: api=, model= or tag=; may be repeated', collectRequest)
}

function collectCheck(written: string, before: readonly CheckInput[] | undefined): readonly CheckInput[] {
  return [...(before ?? []), readCheck(written)]
}

function collectRequest(written: string, before: RequestFacts = {}): RequestFacts {
  const at = written.indexOf('=')
  const what = written.slice(0, Math.max(0, at))
  const name = written.slice(at + 1)
  if (at < 0 || name === '') throw new InvalidArgumentError('Write api=NAME, model=NAME or tag=NAME.')
  if (what === 'tag') return { ...before, tags: [...(before.tags ?? []), name] }
  if (what === 'api' || what === 'model') return { ...before, [what]: name }
  throw new InvalidArgumentError(unknownName('key', what, ['api', 'model', 'tag']))
}

function readCheck(written: string): CheckInput {
  const at = written.indexOf('=')
  if (at < 0) return written
  const name = written.slice(0, at)
  try {
    return { [name]: JSON.parse(written.slice(at + 1)) as unknown }
  } catch {
    throw new InvalidArgumentError(`The options of ${name} are not JSON; write ${name}={"option":"value"}.`)
  }
}

function readClasses(written: string): readonly RepairClass[] {
  const words = written.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !repairClasses.includes(word as RepairClass))
  if (unknown !== undefined) throw new InvalidArgumentError(`The classes are ${repairClasses.join(', ')}.`)
  return words as RepairClass[]
}
