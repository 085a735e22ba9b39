import { buildContract, type Contract, settle } from '@stickler/core'
import { firstDecision, requireAnswer, usesParser, withSoundCalls } from '@stickler/core/internal'
import { readRequest } from '../../check/check-lines.ts'
import type { Cli } from '../../cli.ts'
import { buildChosen, chooseContract } from '../../config/choose-contract.ts'
import type { ContractFlags } from '../../config/contract-options.ts'
import { loadConfig } from '../../config/files.ts'
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
  return { contract, ...(config !== undefined && { config }), ...(root !== undefined && { root }), ...(request && { request }) }
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
      const { answer, context: told, root, missing } = readRequest(fields)
      requireAnswer(missing === undefined ? {} : { missing }, contract)
      const options = {
        context: { ...told, ...live?.context },
        ports: portsFor(root),
        executor: executorFor(root),
        signal,
        request: { ...(model !== undefined && { model }), ...live?.request, ...request },
      }
      // The gateway judges calls by the tools of their request, whatever its contract.
      const judged = live === undefined ? contract : sound
      const settled = await settle(judged, answer, options)
      // A verdict that was interrupted says nothing.
      signal.throwIfAborted()
      const decision = await firstDecision(judged, answer, settled, { ...options, ...(usage && { usage }) })
      return toVerdict(settled, decision)
    },
    close,
  }
}

/** The settings of the local parser; undefined for a service, which may change. */
async function localParser(flags: JudgeFlags, io: Cli['io']): Promise<unknown> {
  const config = await loadConfig(flags.config, io)
  const { parserSettings } = await import('@stickler/parser')
  const { kind, service: _service, ...settings } = parserSettings(config?.value.parser, { env: io.env, folder: io.cwd })
  return kind === 'service' ? undefined : { kind, ...settings }
}
