import { access } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ConfigurationError, settle } from '@stickler/core'
import { type Fields, isFields } from '@stickler/core/internal'
import { answerHook, failedHook, type HookEvent, type HookOutput, isJudgedEvent, seenEvent } from '@stickler/node/internal/hooks'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import { configName } from '../config/config-name.ts'
import type { ContractFlags } from '../config/contract-options.ts'
import { loadConfig } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { largestText } from '../inputs/inputs.ts'
import { isFolder, openPorts } from '../ports/open-ports.ts'
import { safeJson } from '../terminal/printable.ts'
import { fileCounts } from './block-files.ts'

/** The options of `stickler hook`. */
export interface HookFlags extends ContractFlags {
  readonly maxBlocks?: number
  readonly ifConfigured?: true
}

/** Claude Code takes this exit code for a refusal, where its event has one: an unknown event may be a call. */
const blocking = exitCode.usage

/** Answers one event of Claude Code; resolves to the exit code. */
export async function runHook(flags: HookFlags, cli: Cli): Promise<number> {
  const { input, fault } = readEvent(await readBytes(cli))
  if (fault !== undefined && !isJudgedEvent(input.hook_event_name)) {
    cli.note(`the input is not the event of a hook: ${fault}`)
    return input.hook_event_name === undefined ? blocking : exitCode.violated
  }
  await cli.stdout.write(`${safeJson(await answer(input, fault, flags, cli))}\n`)
  return exitCode.ok
}

async function answer(input: Fields, fault: string | undefined, flags: HookFlags, cli: Cli): Promise<HookOutput> {
  const { hook_event_name: event } = input
  if (!isJudgedEvent(event)) return {}
  if (fault !== undefined) return failedHook(input, fault)
  try {
    return await judge(input, event, flags, cli)
  } catch (error) {
    // Neither a verdict nor a reason to end with an error, which would let a tool run.
    if (cli.signal.aborted || !(error instanceof Error)) throw error
    const isExpected = error instanceof UsageError || error instanceof ConfigurationError
    return failedHook(input, isExpected ? error.message : `internal error: ${error.message}`)
  }
}

async function judge(input: Fields, event: HookEvent, flags: HookFlags, cli: Cli): Promise<HookOutput> {
  const project = projectOf(cli.io)
  const found = flags.config === undefined ? await folderOfConfig(project) : project
  if (found === undefined && flags.ifConfigured) return {}
  const io = { ...cli.io, cwd: found ?? project }
  const named = await withContract(flags, event, io)
  if (named === undefined) return {}
  const request = { api: 'check', ...flags.request, tags: [event, ...(flags.request?.tags ?? [])] }
  const choice = await chooseContract({ ...named, request }, io)
  if (choice.input === undefined)
    throw new UsageError(found === undefined ? `there is no ${configName} in ${project} or above` : choice.advice)
  const contract = buildChosen(choice)
  const ports = await openPorts({ ...named, root: await workingFolder(input, project) }, io, contract)
  try {
    const given = { ports: ports.portsFor(), executor: ports.executorFor(), signal: cli.signal, request }
    const { output } = await answerHook(input, {
      contract,
      blocks: fileCounts(cli.io),
      maxBlocks: flags.maxBlocks,
      settle: (one, only) => settle(contract, one, { ...given, ...(only && { only }) }),
    })
    return output
  } finally {
    await ports.close()
  }
}

/** The contract of an event is the one that is asked for, or the one with its name; of final answers also the only one, and of errors that of outputs. Nothing else is to be judged. */
async function withContract(flags: HookFlags, event: HookEvent, io: Cli['io']): Promise<HookFlags | undefined> {
  if (flags.contract !== undefined || flags.preset !== undefined || flags.check !== undefined) return flags
  const config = await loadConfig(flags.config, io)
  if (config === undefined) return flags
  if (Object.hasOwn(config.value.contracts, event)) return { ...flags, contract: event }
  if (event === 'PostToolUseFailure' && Object.hasOwn(config.value.contracts, 'PostToolUse')) return { ...flags, contract: 'PostToolUse' }
  return event === 'Stop' ? flags : undefined
}

/** The folder of the session, which Claude Code names: an agent can change to another one, so what an event says must not choose the contract. */
function projectOf({ env, cwd }: Cli['io']): string {
  return resolve(cwd, env.CLAUDE_PROJECT_DIR || '.')
}

/** The folder whose files an answer is about: that of the agent, if it is in the project and still there. */
async function workingFolder({ cwd }: Fields, project: string): Promise<string> {
  const folder = resolve(project, typeof cwd === 'string' ? cwd : '.')
  const path = relative(project, folder)
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
  return !isOutside && (await isFolder(folder)) ? folder : project
}

/** The folder with a configuration, from one upwards. */
async function folderOfConfig(from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const isThere = await access(join(folder, configName)).then(
      () => true,
      () => false,
    )
    if (isThere) return folder
    if (dirname(folder) === folder) return undefined
  }
}

interface ReadEvent {
  readonly input: Fields
  /** Why the event cannot be judged; `input` then has only its name, where that can be seen. */
  readonly fault?: string
}

async function readBytes({ io, signal }: Cli): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of io.stdin as AsyncIterable<Uint8Array | string>) {
    signal.throwIfAborted()
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    pieces.push(piece)
    size += piece.length
    if (size > largestText) break
  }
  return Buffer.concat(pieces)
}

function readEvent(bytes: Uint8Array): ReadEvent {
  const faulty = (fault: string): ReadEvent => ({ input: { hook_event_name: seenEvent(bytes) }, fault })
  if (bytes.length > largestText) return faulty(`it is larger than ${largestText} bytes`)
  try {
    const input: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (!isFields(input)) return faulty('it is not a JSON object')
    return typeof input.hook_event_name === 'string' ? { input } : { input: {}, fault: 'it has no hook_event_name' }
  } catch (error) {
    return faulty(error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8')
  }
}
