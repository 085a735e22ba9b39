import { relative, resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import { slashed } from '../reports/place.ts'

/** Whether a path is ignored, by its own pattern or because a parent folder is. */
export type Ignored = (path: string) => boolean

/** Reads `--ignore` patterns like `.gitignore`: without a slash they match at any depth, with one they start at the current folder. */
export async function readIgnored(patterns: readonly string[], cwd: string): Promise<Ignored> {
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
export async function compile(globs: readonly string[], options: { readonly dot: boolean }): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import('picomatch')
  try {
    return picomatch([...globs], { ...options, noextglob: true, posix: true, windows: false })
  } catch (error) {
    throw new UsageError(`cannot read the pattern ${globs[0]}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
