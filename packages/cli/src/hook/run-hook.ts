import { access, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type HookEvent, isJudgedEvent } from '@stickler/node/internal/hook-events'
import type { Cli } from '../cli.ts'
import { configName } from '../config/config-name.ts'
import { exitCode } from '../exit-code.ts'
import { largestFile } from '../inputs/limits.ts'
import { safeJson } from '../terminal/printable.ts'
import { contractOf, type HookFlags, isChosen } from './event-contract.ts'
import { type ReadEvent, readEvent } from './read-event.ts'

/** Claude Code takes this exit code for a refusal, where its event has one: an unknown event may be a call. */
const blocking = exitCode.usage

/** Answers one event of Claude Code; resolves to the exit code. Imports little: most events have no contract, and each waits for this. */
export async function runHook(flags: HookFlags, cli: Cli): Promise<number> {
  const event = await readEvent(cli)
  const { hook_event_name: name } = event.input
  if (event.fault !== undefined && !isJudgedEvent(name)) {
    cli.note(`the input is not the event of a hook: ${event.fault}`)
    return name === undefined ? blocking : exitCode.violated
  }
  await cli.stdout.write(`${safeJson(isJudgedEvent(name) ? await answer(event, name, flags, cli) : {})}\n`)
  return exitCode.ok
}

async function answer(event: ReadEvent, name: HookEvent, flags: HookFlags, cli: Cli): Promise<object> {
  const project = projectOf(cli.io)
  const folder = flags.config === undefined ? await folderOfConfig(project) : project
  if (event.fault === undefined && folder === undefined && flags.ifConfigured) return {}
  if (event.fault === undefined && folder !== undefined && (await isUnnamed(name, flags, folder))) return {}
  const { judgeEvent } = await import('./judge-event.ts')
  return judgeEvent(event, name, { flags, cli, project, folder })
}

/** The keys of a configuration, which takes long to load. */
export const knownKeys: ReadonlySet<string> = new Set(
  'server limits store upstreams plugins contracts evaluation routes retrieval ask grpc parser log metrics'.split(' '),
)

/** Whether the file has contracts, or upstreams as that of a gateway without any, and none for the event. What may be broken is left to the reader of configurations. */
async function isUnnamed(event: HookEvent, flags: HookFlags, folder: string): Promise<boolean> {
  // For these there may be a contract of another name.
  if (event === 'Stop' || isChosen(flags)) return false
  const path = resolve(folder, flags.config ?? configName)
  // One that cannot be opened, or could block, has no text here.
  const isText = await stat(path).then(
    (found) => found.isFile() && found.size <= largestFile,
    () => false,
  )
  if (!isText) return false
  const { readYaml } = await import('@stickler/core/internal/yaml')
  const file = readYaml((await readFile(path, 'utf8').catch(() => '')).replace(/^\uFEFF/, ''))
  const value: { upstreams?: unknown; contracts?: unknown } = (file.ok && file.value) || {}
  const { upstreams, contracts = upstreams && {} } = value
  if (typeof contracts !== 'object' || contracts === null || Array.isArray(contracts)) return false
  // A merge, or a key that is no scalar, may add other keys, and a misspelt one may be meant.
  const isPlain =
    Object.keys(value).every((name) => knownKeys.has(name)) && Object.keys(contracts).every((name) => /^[A-Za-z][\w.-]*$/.test(name))
  return isPlain && contractOf(contracts, event) === undefined
}

/** The folder of the session, which Claude Code names: an agent can change to another one, so what an event says must not choose the contract. */
function projectOf({ env, cwd }: Cli['io']): string {
  return resolve(cwd, env.CLAUDE_PROJECT_DIR || '.')
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
