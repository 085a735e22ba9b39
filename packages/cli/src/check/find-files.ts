import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, posix, relative, resolve } from 'node:path'
import { errorMessage } from '@stickler/core/internal'
import { UsageError } from '../errors.ts'
import { systemErrorCode, whyNot } from '../files/why-not.ts'
import { slashed } from '../reports/place.ts'

/** What to look for in folders. */
export interface Search {
  readonly cwd: string
  /** Extensions of the files to read from folders, such as `.md`. */
  readonly endings: readonly string[]
  /** Patterns of files to skip, even if they are named explicitly. */
  readonly ignore: readonly string[]
  readonly signal: AbortSignal
}

/** The files that the arguments match, and messages about arguments and folders that failed. */
interface FoundFiles {
  readonly files: readonly string[]
  readonly faults: readonly string[]
  /** Arguments that match no file. */
  readonly unmatched: readonly string[]
}

/** Finds the files that arguments name directly, by folder or by glob, ordered by argument and path, without duplicates. */
export async function findFiles(written: readonly string[], search: Search): Promise<FoundFiles> {
  const ignored = await readIgnored([...search.ignore, ...written.filter(isNegation).map((one) => one.slice(1))], search.cwd)
  const files = new Map<string, string>()
  const faults: string[] = []
  const unmatched: string[] = []
  for (const argument of written.filter((one) => !isNegation(one))) {
    const found = argument === '-' ? ['-'] : await expand(argument, search, ignored, faults)
    if (found.length === 0) unmatched.push(argument)
    for (const file of found) {
      const place = file === '-' ? file : resolve(search.cwd, file)
      if (!files.has(place)) files.set(place, file)
    }
  }
  return { files: [...files.values()], faults, unmatched }
}

function isNegation(written: string): boolean {
  return written.startsWith('!') && written.length > 1
}

async function expand(argument: string, search: Search, ignored: Ignored, faults: string[]): Promise<readonly string[]> {
  const kind = await kindOf(resolve(search.cwd, argument))
  // An existing file wins, even if its name looks like a glob.
  const walked = kind === 'other' ? undefined : kind === 'folder' ? walkedFolder(argument, search) : await walkedGlob(argument)
  if (walked === undefined) return ignored(argument) ? [] : [argument]
  const found: string[] = []
  const walk: Walk = {
    depth: walked.depth,
    enters: walked.enters,
    onFault: (path, error) => {
      if (path !== resolve(search.cwd, walked.base) || kind === 'folder') faults.push(`cannot read ${slashed(path)}: ${whyNot(error)}`)
    },
    signal: search.signal,
  }
  for await (const below of walkFolder(resolve(search.cwd, walked.base), walk)) {
    const path = posix.join(walked.base, below)
    if (walked.takes(below) && !ignored(path)) found.push(path)
  }
  return found.sort((a, b) => (a < b ? -1 : 1))
}

interface Walked extends Pick<Walk, 'depth' | 'enters'> {
  readonly base: string
  /** Whether a file below the base matches. */
  takes(below: string): boolean
}

function walkedFolder(folder: string, { endings }: Search): Walked {
  return {
    base: slashed(folder),
    depth: Number.POSITIVE_INFINITY,
    enters: isOrdinary,
    takes: (below) => !posix.basename(below).startsWith('.') && endings.some((ending) => below.toLowerCase().endsWith(ending)),
  }
}

/** Undefined for what is not a glob. Hidden files and `node_modules` match only patterns that name them. */
async function walkedGlob(written: string): Promise<Walked | undefined> {
  const { default: picomatch } = await import('picomatch')
  if (!picomatch.scan(written).isGlob) return undefined
  const { base, glob } = picomatch.scan(slashed(written).replace(/^\.\//, ''))
  const namesHidden = /(?:^|[/{,])\.[^./]/.test(glob)
  const namesModules = glob.includes('node_modules')
  return {
    base: base || '.',
    depth: glob.includes('**') ? Number.POSITIVE_INFINITY : glob.split('/').length,
    enters: (name) =>
      isOrdinary(name) || (namesHidden && name.startsWith('.') && name !== '.git') || (namesModules && name === 'node_modules'),
    takes: await compile([glob], { dot: false }),
  }
}

function isOrdinary(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules'
}

async function kindOf(path: string): Promise<'folder' | 'other' | 'absent'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    return systemErrorCode(error) === 'EACCES' ? 'other' : 'absent'
  }
}

/** How a folder is walked. */
interface Walk {
  /** How many levels of folders to search; 1 is only the folder itself. */
  readonly depth: number
  /** Whether a folder of this name is entered. */
  enters(name: string): boolean
  /** Called with an unreadable folder and the reason. */
  onFault(path: string, error: unknown): void
  readonly signal: AbortSignal
}

/** Yields the regular files below a folder as relative paths with slashes. Symbolic links are not followed, so there are no loops and nothing outside is found. */
async function* walkFolder(folder: string, walk: Walk): AsyncGenerator<string> {
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 1 }]
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    walk.signal.throwIfAborted()
    const { path, depth } = current
    for (const entry of await list(join(folder, path), walk)) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (entry.isFile()) yield below
      else if (entry.isDirectory() && depth < walk.depth && walk.enters(entry.name)) folders.push({ path: below, depth: depth + 1 })
    }
  }
}

async function list(path: string, { onFault }: Walk): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true })
  } catch (error) {
    onFault(path, error)
    return []
  }
}

/** Whether a path is ignored, by its own pattern or because a parent folder is. */
type Ignored = (path: string) => boolean

/** Reads `--ignore` patterns like `.gitignore`: without a slash they match at any depth, with one they start at the current folder. */
async function readIgnored(patterns: readonly string[], cwd: string): Promise<Ignored> {
  const matchers: ((path: string) => boolean)[] = []
  for (const pattern of patterns) {
    if (pattern.startsWith('!')) throw new UsageError(`an ignore pattern cannot be negated: ${pattern}`)
    const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
    const inside = [plain, `${plain}/**`]
    matchers.push(await compile(plain.includes('/') ? inside : [...inside, `**/${plain}`, `**/${plain}/**`], { dot: true }))
  }
  return (path) => {
    const inside = slashed(relative(cwd, resolve(cwd, path)))
    return matchers.some((matches) => matches(inside))
  }
}

/** Compiles globs; an invalid one is a usage error. */
async function compile(globs: readonly string[], options: { readonly dot: boolean }): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import('picomatch')
  try {
    return picomatch([...globs], { ...options, noextglob: true, posix: true, windows: false })
  } catch (error) {
    throw new UsageError(`cannot read the pattern ${globs[0]}: ${errorMessage(error)}`)
  }
}
