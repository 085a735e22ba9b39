import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ConfigurationProblem } from '@stickler/core'
import { closest, valueAt } from '@stickler/core/internal'
import { type DescribedModule, plainLine } from '@stickler/core/internal/remote'
import { catalogue } from '@stickler/presets'
import { type LoadedPlugin, type OpenPluginHost, type PluginHost, PluginSet } from './plugin-set.ts'

/**
 * Loads the plugins that a file names, relative to that file, and builds something with them; their
 * host is closed afterwards. Reports the problems of all of them; paths start at the file.
 */
export async function withPlugins<Built extends { readonly problems: readonly ConfigurationProblem[] }>(
  data: unknown,
  path: string,
  openHost: OpenPluginHost | undefined,
  build: (plugins: PluginSet) => Promise<Built>,
): Promise<Built & { readonly plugins: PluginSet }> {
  const written = valueAt(data, ['plugins'])
  // The schema reports anything but a list of strings.
  const names: readonly unknown[] = Array.isArray(written) ? written : []
  const host = names.length > 0 ? await openHost?.() : undefined
  try {
    const problems: ConfigurationProblem[] = []
    const loaded: LoadedPlugin[] = []
    if (names.length > 0 && host === undefined)
      problems.push({ message: 'plugins cannot be loaded here: pass `plugins` to read them', path: ['plugins'] })
    const found = await Promise.all(
      names.map((name) =>
        host !== undefined && typeof name === 'string' && name.trim() !== '' ? loadOne(name.trim(), path, host) : undefined,
      ),
    )
    for (const [index, one] of found.entries()) {
      if (one === undefined) continue
      const messages = 'problems' in one ? one.problems : clashes(one, loaded)
      for (const message of messages) problems.push({ message, path: ['plugins', index] })
      if (!('problems' in one)) loaded.push(one)
    }
    const plugins = new PluginSet(loaded, host)
    const built = await build(plugins)
    return { ...built, plugins, problems: [...problems, ...built.problems] }
  } finally {
    await host?.close()
  }
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

/** More names in a folder are not compared. */
const mostNames = 5000

/** Why a plugin file cannot be loaded; undefined when it exists, or is a package. */
async function missingFile(written: string, folder: string): Promise<string | undefined> {
  const path = pathOf(written, folder)
  if (path === undefined) return undefined
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile()) return undefined
  if (found !== undefined) return `${written} is not a file; name the module itself, such as ${written.replace(/\/$/, '')}/index.mjs`
  const guess = closest(basename(path), await namesIn(dirname(path)))
  const advice = guess === undefined ? '' : `; did you mean "${written.slice(0, written.length - basename(path).length)}${guess}"?`
  return `there is no file ${written}${advice}`
}

/** Why a package was not found. */
async function missingPackage(written: string, folder: string): Promise<string> {
  const guess = closest(written, await packagesAbove(folder))
  const file = closest(
    written,
    (await namesIn(folder)).filter((name) => /\.[cm]?[jt]s$/.test(name)),
  )
  if (file !== undefined) return `there is no package ${written}; did you mean the file "./${file}"?`
  const advice = guess === undefined ? `install it with: npm install ${packageOf(written)}` : `did you mean "${guess}"?`
  return `there is no package ${written} in ${folder} or above it; ${advice}`
}

/** A file starts with a dot, a slash, a drive or an address, as in an import. */
function pathOf(written: string, folder: string): string | undefined {
  if (/^file:/i.test(written)) {
    try {
      return fileURLToPath(written)
    } catch {
      return undefined
    }
  }
  return /^\.{0,2}[/\\]|^[a-z]:[/\\]/i.test(written) ? resolve(folder, written) : undefined
}

function packageOf(written: string): string {
  return written.split('/', written.startsWith('@') ? 2 : 1).join('/')
}

async function packagesAbove(folder: string): Promise<string[]> {
  const names: string[] = []
  for (let at = folder; ; at = dirname(at)) {
    const own = await namesIn(join(at, 'node_modules'))
    const scoped = own
      .filter((name) => name.startsWith('@'))
      .map(async (scope) => (await namesIn(join(at, 'node_modules', scope))).map((name) => `${scope}/${name}`))
    names.push(...own.filter((name) => !/^[@.]/.test(name)), ...(await Promise.all(scoped)).flat())
    if (dirname(at) === at || names.length > mostNames) return names.slice(0, mostNames)
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).slice(0, mostNames)
}
