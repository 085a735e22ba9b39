import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closest } from '@stickler/core/internal'

/** More names in a folder are not compared. */
const mostNames = 5000

/** Why a plugin file cannot be loaded; undefined when it exists, or is a package. */
export async function missingFile(written: string, folder: string): Promise<string | undefined> {
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
export async function missingPackage(written: string, folder: string): Promise<string> {
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
