import { buildContract, type Contract, settle } from '@stickler/core'
import { defined, errorMessage, firstDecision, requestContract, requireAnswer, usesParser, withSoundCalls } from '@stickler/core/internal'
import { readRequest } from '../../check/check-lines.ts'
import type { Cli } from '../../cli.ts'
import { buildChosen, chooseContract } from '../../config/choose-contract.ts'
import type { ContractFlags } from '../../config/contract-options.ts'
import { loadConfig } from '../../config/files.ts'
import { UnreachableError, UsageError } from '../../errors.ts'
import { openPorts } from '../../ports/open-ports.ts'
import type { Recording } from '../../recordings/recording.ts'
import { type firstVerdictOf, type Verdict, verdictOf } from '../verdict.ts'
import { type ContractIdentity, identifyContract } from './contract-identity.ts'

/** What of a recording a verdict depends on. */
export type Judged = Pick<Recording, 'fields' | 'model' | 'usage' | 'contract' | 'live'>

/** A contract that judges recorded answers. */
export interface Judge {
  readonly contract: Contract
  readonly identity: ContractIdentity
  /** Throws an Error when a recording cannot be read. */
  judge(recording: Judged): Promise<Verdict>
  close(): Promise<void>
}

/** What a judge is made from. */
export interface JudgeFlags extends ContractFlags {
  readonly root?: string
}

/** Checks and policy on the command line change the contract that is evaluated, not the other one. */
export function otherContract({ config, root, request }: JudgeFlags, contract: string): JudgeFlags {
  return defined({ contract, config, root, request })
}

/** Opens the contract that the command line names. Another `toVerdict` is no part of the identity: such verdicts must not be kept or queued. */
export async function openJudge(
  flags: JudgeFlags,
  cli: Pick<Cli, 'io' | 'signal'>,
  toVerdict: typeof firstVerdictOf = verdictOf,
): Promise<Judge> {
  const { io, signal } = cli
  const choice = await chooseContract(flags, io)
  // Reports what is wrong with it, as `check` does.
  buildChosen(choice)
  if (choice.input === undefined) throw new Error('there is no contract')
  const contract = buildContract(choice.input, choice.catalogue)
  const { portsFor, executorFor, close } = await openPorts(flags, io, contract)
  const { request } = choice
  const sound = withSoundCalls(contract)
  return {
    contract,
    identity: await identifyContract(contract, choice, usesParser(contract) ? await localParser(flags, io) : undefined),
    async judge({ fields, model, usage, live }) {
      const { answer, context: told, asked, root, missing } = readRequest(fields)
      requireAnswer(missing === undefined ? {} : { missing }, contract)
      const options = {
        context: { ...told, ...live?.context },
        ports: portsFor(root),
        executor: executorFor(root),
        signal,
        request: { ...(model !== undefined && { model }), ...live?.request, ...request },
      }
      // The gateway judges calls by the tools of their request, whatever its contract.
      const judged = requestContract(live === undefined ? contract : sound, asked)
      const settled = await settle(judged, answer, options)
      // A verdict that was interrupted says nothing.
      signal.throwIfAborted()
      const decision = await firstDecision(judged, answer, settled, { ...options, ...(usage && { usage }) })
      return toVerdict(settled, decision)
    },
    close,
  }
}

/** Throws where contracts need a parser that is switched off or does not answer: answers that nobody parsed must not look evaluated. */
export async function requireParser(
  judges: readonly Judge[],
  flags: JudgeFlags,
  { io, signal }: Pick<Cli, 'io' | 'signal'>,
): Promise<void> {
  if (!judges.some(({ contract }) => usesParser(contract))) return
  const settings = await settingsOfParser(flags, io)
  const advice = '--allow-unchecked evaluates without it'
  if (settings.kind === 'disabled') throw new UsageError(`the contract needs the parser, which is switched off; ${advice}`)
  if (settings.kind === 'local') return
  const { openParser } = await import('@stickler/parser')
  const parser = await openParser(settings)
  const timely = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)])
  try {
    await parser.ready(timely)
  } catch (error) {
    signal.throwIfAborted()
    throw new UnreachableError(`the contract needs the parser: ${errorMessage(error)}; ${advice}`)
  } finally {
    await parser.close()
  }
}

async function settingsOfParser(flags: JudgeFlags, io: Cli['io']) {
  const config = await loadConfig(flags.config, io)
  const { parserSettings } = await import('@stickler/parser')
  return parserSettings(config?.value.parser, { env: io.env, folder: io.cwd })
}

/** The settings of the local parser; undefined for a service, which may change. */
async function localParser(flags: JudgeFlags, io: Cli['io']): Promise<unknown> {
  const { kind, service: _service, ...settings } = await settingsOfParser(flags, io)
  return kind === 'service' ? undefined : { kind, ...settings }
}
