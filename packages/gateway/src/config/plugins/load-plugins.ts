import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ConfigurationProblem, catalogue } from '@stickler/core'
import { type DescribedModule, plainLine } from '@stickler/core/internal/remote'
import { missingFile, missingPackage } from './locate-plugin.ts'
import type { PluginHost } from './plugin-host.ts'
import { type LoadedPlugin, PluginSet } from './plugin-set.ts'

/** The plugins of a file, and their problems; paths start at the file. */
export interface LoadedPlugins {
  readonly plugins: PluginSet
  readonly problems: readonly ConfigurationProblem[]
}

/**
 * Loads the plugins that a file names, relative to that file; reports the problems of all of them.
 */
export async function loadPlugins(written: unknown, file: string, host: PluginHost | undefined): Promise<LoadedPlugins> {
  // The schema reports anything but a list of strings.
  const names: unknown[] = Array.isArray(written) ? written : []
  if (names.length === 0) return { plugins: new PluginSet(), problems: [] }
  if (host === undefined)
    return {
      plugins: new PluginSet(),
      problems: [{ message: 'plugins cannot be loaded here: pass `plugins` to read them', path: ['plugins'] }],
    }
  const problems: ConfigurationProblem[] = []
  const loaded: LoadedPlugin[] = []
  const found = await Promise.all(
    names.map((name) => (typeof name === 'string' && name.trim() !== '' ? loadOne(name.trim(), file, host) : undefined)),
  )
  for (const [index, one] of found.entries()) {
    if (one === undefined) continue
    const messages = 'problems' in one ? one.problems : clashes(one, loaded)
    problems.push(...messages.map((message) => ({ message, path: ['plugins', index] })))
    if (!('problems' in one)) loaded.push(one)
  }
  return { plugins: new PluginSet(loaded, host), problems }
}

async function loadOne(written: string, file: string, host: PluginHost): Promise<LoadedPlugin | { readonly problems: readonly string[] }> {
  const missing = await missingFile(written, dirname(file))
  if (missing !== undefined) return { problems: [missing] }
  let described: DescribedModule
  try {
    described = await host.describe(written, pathToFileURL(file).href)
  } catch (error) {
    return { problems: [`${written} could not be loaded: ${plainLine(error)}`] }
  }
  const { module, validators, problems, failure } = described
  if (failure !== undefined || module === undefined) return { problems: [await describeFailure(written, file, described)] }
  if (problems.length > 0) return { problems: problems.map((problem) => `${written}: ${problem}`) }
  return { written, module, validators }
}

async function describeFailure(written: string, file: string, { module, failure }: DescribedModule): Promise<string> {
  const { code, message = 'it leads nowhere' } = failure ?? {}
  if (module === undefined && code === 'ERR_MODULE_NOT_FOUND') return missingPackage(written, dirname(file))
  return `${written} could not be loaded: ${message}`
}

/** Names are unique in a file. */
function clashes({ written, module, validators }: LoadedPlugin, before: readonly LoadedPlugin[]): string[] {
  if (before.some((other) => other.module === module)) return [`${written} is listed twice`]
  return validators.flatMap(({ name }) => {
    const isOurs = catalogue.validators.some(({ definition }) => definition.name === name)
    const other = before.find((one) => one.validators.some((validator) => validator.name === name))
    if (isOurs) return [`${written} has a validator ${name}, which is also the name of a built-in one: rename it`]
    return other === undefined ? [] : [`${written} and ${other.written} both have a validator ${name}: rename one of them`]
  })
}

/** Where a plugin was loaded from, for messages. */
export function placeOf({ module }: Pick<LoadedPlugin, 'module'>): string {
  return module.startsWith('file:') ? fileURLToPath(module) : module
}
