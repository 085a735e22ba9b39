import { isAbsolute, relative, resolve, sep } from 'node:path'
import { ConfigurationError, settle } from '@stickler/core'
import { isFolder } from '@stickler/node/internal/files'
import type { HookEvent } from '@stickler/node/internal/hook-events'
import { answerHook, failedHook, type HookOutput } from '@stickler/node/internal/hooks'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import { configName } from '../config/config-name.ts'
import { loadContracts } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { openPorts } from '../ports/open-ports.ts'
import { fileCounts } from './block-files.ts'
import { contractOf, type HookFlags, isChosen } from './event-contract.ts'
import type { ReadEvent } from './read-event.ts'

/** Where an event is judged. */
interface HookPlace {
  readonly flags: HookFlags
  readonly cli: Cli
  /** The folder of the session. */
  readonly project: string
  /** The folder with its configuration, if there is one. */
  readonly folder: string | undefined
}

/** Judges an event that may have a contract; what cannot be judged fails as the event demands. */
export async function judgeEvent({ input, fault }: ReadEvent, event: HookEvent, place: HookPlace): Promise<HookOutput> {
  if (fault !== undefined) return failedHook(input, fault)
  try {
    return await judge(input, event, place)
  } catch (error) {
    // Neither a verdict nor a reason to end with an error, which would let a tool run.
    if (place.cli.signal.aborted || !(error instanceof Error)) throw error
    const isExpected = error instanceof UsageError || error instanceof ConfigurationError
    return failedHook(input, isExpected ? error.message : `internal error: ${error.message}`)
  }
}

async function judge(input: ReadEvent['input'], event: HookEvent, { flags, cli, project, folder }: HookPlace): Promise<HookOutput> {
  const io = { ...cli.io, cwd: folder ?? project }
  const config = isChosen(flags) ? undefined : await loadContracts(flags.config, io)
  const contract = config && contractOf(config.contracts, event)
  if (config !== undefined && contract === undefined && event !== 'Stop') return {}
  const named = contract === undefined ? flags : { ...flags, contract }
  const request = { api: 'check', ...flags.request, tags: [event, ...(flags.request?.tags ?? [])] }
  const choice = await chooseContract({ ...named, request }, io, config && (async () => config))
  if (choice.input === undefined)
    throw new UsageError(folder === undefined ? `there is no ${configName} in ${project} or above` : choice.advice)
  const built = buildChosen(choice)
  const ports = await openPorts({ ...named, root: await workingFolder(input, project) }, io, built)
  try {
    const given = { ports: ports.portsFor(), executor: ports.executorFor(), signal: cli.signal, request }
    const { output } = await answerHook(input, {
      contract: built,
      blocks: fileCounts(cli.io),
      maxBlocks: flags.maxBlocks,
      settle: (one, only) => settle(built, one, { ...given, ...(only && { only }) }),
    })
    return output
  } finally {
    await ports.close()
  }
}

/** The folder whose files an answer is about: that of the agent, if it is in the project and still there. */
async function workingFolder({ cwd }: ReadEvent['input'], project: string): Promise<string> {
  const folder = resolve(project, typeof cwd === 'string' ? cwd : '.')
  const path = relative(project, folder)
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
  return !isOutside && (await isFolder(folder)) ? folder : project
}
